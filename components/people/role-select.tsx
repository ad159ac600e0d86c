import { ROLE_LABELS, ROLES, type Role } from '#lib/auth/permissions.ts'

/** The choice of a role in a form; its field is called `role`. */
export function RoleSelect({ value }: { value: Role }) {
  return (
    <label className="flex flex-col gap-1 font-medium text-[13px]">
      Role
      <select name="role" defaultValue={value} className="field h-8 font-normal">
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {ROLE_LABELS[role]}
          </option>
        ))}
      </select>
    </label>
  )
}
