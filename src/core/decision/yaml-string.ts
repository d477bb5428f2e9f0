const INDICATOR_FIRST = /^[-?:,[\]{}#&*!|>'"%@`]/
const SAFE_DASH = /^[-?:][^\s]/
// What a YAML 1.1 reader would take for something other than a string.
const OTHER_TYPE =
  /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<|[-+]?\.(?:inf|nan)|[-+]?[0-9][0-9_,.:eExXoOa-fA-F+-]*|[-+]?[0-9_]*\.?[0-9_]*(?:e[-+]?[0-9_]*)?|\.[0-9].*|\d{4}-\d{1,2}-\d{1,2}.*)$/i
const UNPRINTABLE = /[^\t\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\n\r\x85\u2028\u2029\ufeff]/u

/**
 * A string as a YAML scalar: plain where every YAML reader sees the same string, else single-quoted, else
 * double-quoted.
 */
export function yamlString(value: string): string {
  if (UNPRINTABLE.test(value)) return JSON.stringify(value)
  return isPlain(value) ? value : `'${value.replaceAll("'", "''")}'`
}

function isPlain(value: string): boolean {
  if (value === '' || value !== value.trim() || value.includes('\t')) return false
  if (INDICATOR_FIRST.test(value) && !SAFE_DASH.test(value)) return false
  if (value.startsWith('---') || value.startsWith('...')) return false
  return !/:(?:\s|$)|\s#/.test(value) && !OTHER_TYPE.test(value)
}
