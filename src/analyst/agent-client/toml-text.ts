/** A value in TOML; a JSON string is a valid TOML string. */
export function tomlText(value: string | readonly string[] | Readonly<Record<string, string>>): string {
  if (typeof value === 'string' || Array.isArray(value)) return JSON.stringify(value).replaceAll('\u007F', '\\u007F')
  const entries = Object.entries(value).map(([name, text]) => `${tomlKey(name)}=${tomlText(text as string)}`)
  return `{${entries.join(',')}}`
}

export const tomlKey = (name: string): string => (/^[A-Za-z0-9_-]+$/.test(name) ? name : tomlText(name))
