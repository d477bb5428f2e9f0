import { expect, test } from 'vitest'
import { exitCodeOf } from './exit-code.ts'

test.each<[string, number | undefined]>([
  ['Command: cat x\nOutput: cat: x\nError: (none)\nExit Code: 1\nSignal: 0\nProcess Group PGID: 11093', 1],
  ['Output: fine\nError: (none)\nExit Code: 0\nSignal: 0\nProcess Group PGID: 1', 0],
  ['<untrusted_context>\nOutput: no\nExit Code: 2\nProcess Group PGID: 1\n</untrusted_context>', 2],
  ['Output: Exit Code: 1\nand more\nProcess Group PGID: 1', undefined],
  ['Output: x\nExit Code: (none)\nSignal: 9\nProcess Group PGID: 1', 128],
  ['Exit Code: 3\nSignal: (none)', 3],
  ['cat: x: No such file\n<shellId: 1 completed with exit code 1>', 1],
  ['<shellId: 1 completed with exit code 1>\nsaid the log\n<shellId: 2 completed with exit code 0>', 0],
  ['no\n\n\nCommand exited with code 127', 127],
  ['the child: Command exited with code 1\nok', undefined],
  ['', undefined],
])('the exit code of %j is %j', (text, code) => {
  expect(exitCodeOf(text)).toBe(code)
})
