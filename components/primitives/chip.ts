import { cva } from 'class-variance-authority'

/** Class names of a filter chip; `on` marks the chips that decide what the page shows. */
export const chipClass = cva(
  'inline-flex h-6 max-w-80 items-center rounded-full border text-[12.5px] leading-4 transition-colors',
  {
    variants: {
      look: {
        plain: 'border-line2 text-ink2',
        on: 'border-accent text-accent',
        add: 'border-line2 border-dashed text-ink2 hover:text-ink aria-expanded:bg-hover',
      },
      /** A chip in parts: each part has its own padding and hover. */
      body: { whole: 'px-2.5', parts: '' },
    },
    compoundVariants: [
      { body: 'whole', look: ['plain', 'add'], className: 'hover:bg-hover' },
      { body: 'whole', look: 'on', className: 'hover:bg-sel' },
    ],
    defaultVariants: { look: 'plain', body: 'whole' },
  },
)
