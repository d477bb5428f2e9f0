import { readFileSync, writeFileSync } from 'node:fs'

const [BEGIN, END] = ['<!-- bench:team begins -->', '<!-- bench:team ends -->']

/** Replaces the text between the marks of a page with the measured tables. */
export function putTables(path: string, lines: readonly string[]): void {
  const page = readFileSync(path, 'utf8')
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${path} has no marks for the tables`)
  writeFileSync(path, `${page.slice(0, begin + BEGIN.length)}\n\n${lines.join('\n').trim()}\n\n${page.slice(end)}`)
}
