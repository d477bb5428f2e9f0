/** A value as it is written into a field, and as `config_set` takes it. */
export function settingText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.map(String).join(', ') : String(value)
}

/** A value for reading. */
export const shownSetting = (value: unknown): string => {
  const text = settingText(value)
  if (text === '') return 'nothing'
  return value === true ? 'on' : value === false ? 'off' : text
}

/** Settings by the word before the first dot, those that a search finds alone. */
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
