/** Names as they look, in SQL, where names that look alike count as one. */

/** Joins a name with how it looks, as `as`, if that is noted. */
export function joinLook(organization: string, name: string, as: string): string {
  return `left join name_look ${as} on ${as}.organization_id = ${organization} and ${as}.name = ${name}`
}

/** A joined name as it looks; one that shows nothing is none. */
export function toLook(name: string, as: string): string {
  return `nullif(coalesce(${as}.look, ${name}), '')`
}
