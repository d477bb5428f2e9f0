const LARGEST = 256 * 1024
const LONGEST_LINE = 100_000

/**
 * Why a file is more than an import should look through: its readers look at a line several times over. Undefined when
 * it is not.
 */
export function importExcess(text: string): string | undefined {
  if (text.length > LARGEST) return 'it is larger than 256 KB'
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    if ((end < 0 ? text.length : end) - start > LONGEST_LINE)
      return `it has a line of more than ${LONGEST_LINE.toLocaleString('en')} characters`
    start = end < 0 ? text.length : end + 1
  }
  return undefined
}
