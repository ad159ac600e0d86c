import { buttonClass } from '#components/primitives/button.ts'

type NameFormProps = {
  /** The route that takes the name. */
  action: string
  /** What the name is of: `Your name`. */
  label: string
  name: string
  /** Fields that the route needs besides. */
  fields?: Record<string, string>
  /** Shown where the name is empty; then an empty one may be sent. */
  placeholder?: string
}

/** A name and a button that saves it: a plain form. */
export function NameForm({ action, label, name, fields = {}, placeholder }: NameFormProps) {
  return (
    <form method="post" action={action} className="flex flex-wrap items-end gap-2">
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <label className="flex min-w-0 max-w-[360px] flex-1 flex-col gap-1 font-medium text-[13px]">
        {label}
        <input
          name="name"
          defaultValue={name}
          placeholder={placeholder}
          required={placeholder === undefined}
          maxLength={120}
          dir="auto"
          className="field h-8 w-full font-normal"
        />
      </label>
      <button type="submit" className={buttonClass()}>
        Save
      </button>
    </form>
  )
}
