import type { ReactNode } from 'react'
import { buttonClass } from '#components/primitives/button.ts'

type CheckedRuleProps = {
  action: string
  name: string
  isOn: boolean
  /** What holds when it is on, in a sentence. */
  rule: string
  /** What follows from it. */
  children: ReactNode
}

/** The form of one rule that is on or off. */
export function CheckedRule({ action, name, isOn, rule, children }: CheckedRuleProps) {
  return (
    <form method="post" action={action} className="flex flex-col items-start gap-3 text-[13px]">
      <label className="flex items-start gap-2">
        <input type="checkbox" name={name} value="on" defaultChecked={isOn} className="mt-0.5 accent-accent" />
        <span>
          {rule}
          <span className="block text-ink3">{children}</span>
        </span>
      </label>
      <button type="submit" className={buttonClass()}>
        Save
      </button>
    </form>
  )
}
