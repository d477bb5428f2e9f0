import { expect, test } from 'vitest'
import { actionsFor } from './act.ts'

const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 9 } })

test('writes hidden characters of file and folder names as their codes', () => {
  const decision = { num: 2, stem: '002-cache', title: 'Cache', isActive: true }
  const diagnostic = { range: at(0), message: 'imports redis' }
  const finding = { diagnostic, decision, reason: 'imports redis', line: "import 'redis'" }
  const actions = actionsFor('file:///r/a%E2%80%AEb%0Ac/d%1B%5B31m.ts', [finding], at(0))
  expect(actions.map(({ title }) => title)).toEqual([
    'Open D002 Cache',
    'Propose to supersede D002…',
    'Dismiss D002 here',
    'Silence D002 in a\\u{202e}b c/',
  ])
  expect(actions[1]!.command!.arguments![0].reason).toBe("d\\u{1b}[31m.ts:1: import 'redis' (imports redis)")
})
