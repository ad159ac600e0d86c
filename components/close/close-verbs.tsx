import { CloseActions } from './close-actions.client.tsx'
import { type Acting, type ActionFacts, listActions } from './list-actions.ts'

type CloseVerbsProps = { facts: ActionFacts; acting: Acting; people?: readonly { id: string; name: string }[] }

/** What this person may do with a month or an invoice, and why the next step is not theirs. */
export function CloseVerbs({ facts, acting, people = [] }: CloseVerbsProps) {
  const { actions, whyNot } = listActions(facts, acting)
  return (
    <CloseActions actions={actions} people={people}>
      {whyNot !== null && <small>{whyNot}</small>}
    </CloseActions>
  )
}
