/** Rows of a CSV text: fields may be quoted and contain commas, quotes and line ends. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const { field, end } = text[at] === '"' ? quoted(text, at + 1) : plain(text, at)
    row.push(field)
    at = end
    if (text[at] === ',') {
      at++
      if (at < text.length && text[at] !== '\r' && text[at] !== '\n') continue
      row.push('')
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    rows.push(row)
    row = []
  }
  return rows
}

function quoted(text: string, from: number): { readonly field: string; readonly end: number } {
  let field = ''
  for (let at = from; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { field: field + text.slice(at), end: text.length }
    field += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { field, end: quote + 1 }
    field += '"'
    at = quote + 2
  }
}

function plain(text: string, from: number): { readonly field: string; readonly end: number } {
  const [field = ''] = /[^,\r\n]*/y.exec(text.slice(from, from + 1_000_000)) ?? []
  return { field, end: from + field.length }
}
