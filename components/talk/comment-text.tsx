import { splitByNames } from './named-people.ts'

type CommentTextProps = { text: string; mentions: { id: string; name: string }[]; me: string }

/** A comment as it was typed: never markup, never a link, and isolated from what is beside it. */
export function CommentText({ text, mentions, me }: CommentTextProps) {
  let at = 0
  const pieces = splitByNames(text, mentions).map((piece) => {
    const placed = { ...piece, at }
    at += piece.text.length
    return placed
  })
  return (
    <bdi dir="auto" className="block whitespace-pre-wrap [overflow-wrap:anywhere]">
      {pieces.map((piece) =>
        piece.person === null ? (
          piece.text
        ) : (
          <bdi
            key={piece.at}
            className={
              piece.person.id === me ? 'rounded-sm bg-sel px-0.5 font-medium text-accent' : 'rounded-sm bg-sel px-0.5'
            }
          >
            {piece.text}
          </bdi>
        ),
      )}
    </bdi>
  )
}
