// Draws the output of `ken demo` for its first check as docs/images/check.svg: `npm run shots:check`.
// `test/docs.slow.test.ts` fails if the picture no longer shows what the command prints.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const COLUMNS = 98
const LINE = 21
const LETTER = 8.43
const MARGIN = 24
const TOP = 58

const printed = execFileSync(process.execPath, [join(ROOT, 'bin/ken.js'), 'demo', '--once'], {
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1' },
})
const lines = firstCheck(printed).flatMap(wrapped)
writeFileSync(join(ROOT, 'docs/images/check.svg'), drawn(lines))

/** The first command with its output, without blank lines at the end. */
function firstCheck(text: string): string[] {
  const blocks = text.split(/^(?=\$ )/m)
  const block = blocks.find((one) => one.startsWith('$ ken check'))
  if (block === undefined) throw new Error('`ken demo` printed no check')
  return block.trimEnd().split('\n')
}

function wrapped(line: string): string[] {
  const rows = ['']
  for (const word of line.split(/(?<= )/)) {
    if ((rows.at(-1)! + word).trimEnd().length > COLUMNS) rows.push('')
    rows[rows.length - 1] += word
  }
  return rows.map((row) => row.trimEnd())
}

function drawn(rows: readonly string[]): string {
  const width = Math.ceil(COLUMNS * LETTER + 2 * MARGIN)
  const height = TOP + rows.length * LINE + MARGIN / 2
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, nth) => `<circle cx="${MARGIN + nth * 20}" cy="22" r="6" fill="${colour}"/>`,
  )
  const texts = rows.map(
    (row, nth) =>
      `<text x="${MARGIN}" y="${TOP + nth * LINE}" xml:space="preserve"${row.startsWith('$ ') ? ' font-weight="bold"' : ''}>${coloured(row)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="ken check finds that RabbitMQ was rejected before" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#d7dae0">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#1b1f27"/>`,
    ...dots,
    ...texts,
    '</svg>\n',
  ].join('\n')
}

function coloured(row: string): string {
  return row
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('RabbitMQ', '<tspan fill="#ff7b72">RabbitMQ</tspan>')
    .replaceAll(/\bD\d{3}\b/g, (id) => `<tspan fill="#79c0ff">${id}</tspan>`)
}
