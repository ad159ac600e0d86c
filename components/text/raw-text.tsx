import { classNames } from '#components/class-names.ts'
import { splitControlCharacters } from './control-characters.ts'

/** A named box that scrolls; `pre` keeps its line breaks even without styles. */
const asRegion = (label: string) => ({ role: 'region', tabIndex: 0, 'aria-label': label })

type RawTextProps = { text: string; label: string; wrap?: boolean; className?: string }

/**
 * A payload as text, never as markup. Invisible characters are named; the text stays byte for byte.
 */
export function RawText({ text, label, wrap = true, className }: RawTextProps) {
  let offset = 0
  return (
    <pre
      {...asRegion(label)}
      dir="ltr"
      className={classNames(
        'overflow-auto rounded-lg border p-3 font-mono text-[12px] leading-[18px]',
        wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
        className,
      )}
    >
      {splitControlCharacters(text).map(({ text: piece, controlName }) => {
        const key = offset
        offset += piece.length
        return controlName === null ? (
          piece
        ) : (
          <span key={key} className="control-character" data-name={controlName}>
            {piece}
          </span>
        )
      })}
    </pre>
  )
}
