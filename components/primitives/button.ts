import { cva } from 'class-variance-authority'

/** Class names of a button, also for links that look like one. At most one primary per page. */
export const buttonClass = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium text-[13px] leading-5 transition-colors disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50',
  {
    variants: {
      look: {
        primary: 'border-ink bg-ink text-bg hover:bg-ink/85',
        plain: 'border-line2 bg-bg text-ink hover:bg-hover',
        quiet: 'border-transparent bg-transparent text-ink2 hover:bg-hover hover:text-ink',
      },
      size: { normal: 'px-2.5 py-1', small: 'px-2 py-px text-[12.5px]', icon: 'size-7 p-0', step: 'size-6 p-0' },
    },
    defaultVariants: { look: 'plain', size: 'normal' },
  },
)
