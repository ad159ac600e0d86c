import { cva } from 'class-variance-authority'

/** Class names of a filter chip; `on` marks the chips that decide what the page shows. */
export const chipClass = cva(
  'inline-flex h-6 max-w-80 items-center rounded-full border px-2.5 text-[12.5px] leading-none transition-colors',
  {
    variants: {
      look: {
        plain: 'border-line2 text-ink2 hover:bg-hover',
        on: 'border-accent text-accent hover:bg-sel',
        add: 'border-line2 border-dashed text-ink2 hover:bg-hover hover:text-ink data-[state=open]:bg-hover',
      },
    },
    defaultVariants: { look: 'plain' },
  },
)
