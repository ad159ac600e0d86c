import { Check } from '#components/primitives/icons.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { isAllowed, PERMISSIONS, type Permission, ROLE_LABELS, ROLES } from '#lib/auth/permissions.ts'

/** What each role may do: the table that routes and pages ask. */
export function RoleTable() {
  return (
    <ScrollBox label="Table of roles" className="overflow-x-auto">
      <table aria-label="What each role may do" className="w-full border-separate border-spacing-0 text-[13px]">
        <thead>
          <tr>
            <th scope="col" className="cell-head static">
              May
            </th>
            {ROLES.map((role) => (
              <th key={role} scope="col" className="cell-head static">
                {ROLE_LABELS[role]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(Object.keys(PERMISSIONS) as Permission[]).map((permission) => (
            <tr key={permission}>
              <th scope="row" className="cell min-w-40 whitespace-normal py-1.5 text-left font-normal leading-[18px]">
                {PERMISSIONS[permission].words}
              </th>
              {ROLES.map((role) => (
                <td key={role} className="cell">
                  {isAllowed(role, permission) ? (
                    <>
                      <Check size={14} />
                      <span className="sr-only">yes</span>
                    </>
                  ) : (
                    <span className="sr-only">no</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
