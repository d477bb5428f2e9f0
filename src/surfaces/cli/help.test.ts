import { expect, test } from 'vitest'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { OPERATIONS } from '../../operations/all.ts'
import { EVERYDAY, GROUPS } from './command-groups.ts'
import { SERVER_COMMANDS } from './dispatch.ts'
import { commandHelp, fullOverview, groupHelp, overview } from './help.ts'

/** Commands, which must stay on one line, and words that cannot be broken. */
const isWhole = (line: string, width: number): boolean =>
  /^(?:Usage: ken | {2}(?:ken|[A-Z_]+=))/.test(line) || !/\S\s+\S/.test(line.slice(0, width).trimStart())

test.each([40, 80, 120])('help fits a terminal of %i columns', (width) => {
  const view = { ...PLAIN, width }
  const everyday = EVERYDAY.map((name) => OPERATIONS.find((one) => one.name === name)!)
  const people = OPERATIONS.filter(({ command }) => command.length > 0)
  const texts = [
    overview(everyday, '0.1.0', view),
    fullOverview(OPERATIONS, SERVER_COMMANDS, '0.1.0', view),
    ...GROUPS.map(({ noun }) => groupHelp(noun, OPERATIONS, view)),
    ...people.map((operation) => commandHelp(operation, undefined, view)),
  ]
  expect(texts.length).toBeGreaterThan(100)
  const wide = texts.flatMap((text) => text.split('\n')).filter((line) => line.length > width && !isWhole(line, width))
  expect(wide).toEqual([])
})
