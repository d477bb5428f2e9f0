/** A value as text for a field and for `config_set`. */
export function settingText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.map(String).join(', ') : String(value)
}

/** A value formatted for display. */
export const shownSetting = (value: unknown): string => {
  const text = settingText(value)
  if (text === '') return 'nothing'
  return value === true ? 'on' : value === false ? 'off' : text
}

/** Settings grouped by the word before the first dot, filtered by a search. */
export function groupedSettings<T extends { readonly name: string; readonly help: string }>(
  settings: readonly T[],
  words: string,
): readonly (readonly [string, readonly T[]])[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found = settings.filter(({ name, help }) => {
    const text = `${name} ${help}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return [...Map.groupBy(found, ({ name }) => name.split('.')[0]!)]
}
