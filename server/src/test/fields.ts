/** Returns a field of each item, or several as a list, in the order of their names. */
export function fieldsOf(items: readonly object[], ...names: [string, ...string[]]): unknown[] {
  const rows = items.map((item) => names.map((name) => (item as Record<string, unknown>)[name]))
  return names.length === 1 ? rows.map(([value]) => value) : rows
}
