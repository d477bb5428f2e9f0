import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { mergeDriverLine, posixWord, windowsWord } from './shell-word.ts'

const ODD = ['plain', 'with space', "it's", '$HOME', '`id`', 'a"b', 'back\\slash', '100%', '', '*', 'ünï']

test.skipIf(process.platform === 'win32')('a POSIX shell reads every word back as it was', () => {
  const line = `printf '%s\\n' ${ODD.map(posixWord).join(' ')}`
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`${ODD.join('\n')}\n`)
})

test.skipIf(process.platform === 'win32')('the merge driver survives spaces, dollars and percents in a path', () => {
  expect(mergeDriverLine(['/opt/ken'])).toBe('/opt/ken merge-driver %O %A %B %P')
  expect(mergeDriverLine(['/home/$USER/my tools/100%A/ken'])).toBe(
    "'/home/$USER/my tools/100%%A/ken' merge-driver %O %A %B %P",
  )
})

test('Windows paths stay intact in every shell that may read them', () => {
  const node = 'C:\\Program Files\\nodejs\\node.exe'
  expect(windowsWord('C:\\Users\\me\\ken.js')).toBe('C:/Users/me/ken.js')
  expect(windowsWord('\\\\server\\share\\ken.js')).toBe('//server/share/ken.js')
  expect(windowsWord(node)).toBe('"C:/Program Files/nodejs/node.exe"')
  expect(windowsWord('no\\path')).toBe('"no\\path"')
  expect(mergeDriverLine([node, 'C:\\new\\ken.js'])).toBe(
    "'C:/Program Files/nodejs/node.exe' C:/new/ken.js merge-driver %O %A %B %P",
  )
})
