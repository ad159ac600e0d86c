import { classNames } from '#components/class-names.ts'

/** A person's initials in a circle, beside their name. */
export function Initials({ text, isMe }: { text: string; isMe: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-flex size-[22px] shrink-0 items-center justify-center rounded-full font-semibold text-[10px] leading-none',
        isMe ? 'bg-sel text-accent' : 'bg-here text-ink2',
      )}
    >
      {text}
    </span>
  )
}
