import { expect, test } from 'vitest'
import { LONGEST_TEXT, takeFiles, withTexts } from './attachments.ts'

const file = (name: string, content: string | Uint8Array<ArrayBuffer>, type = ''): File =>
  new File([content], name, { type })

test('images and texts are attached', async () => {
  const { taken, refused } = await takeFiles(
    [file('a.png', new Uint8Array([137, 80]), 'image/png'), file('b.csv', 'x,y\n1,2\n', 'text/csv')],
    [],
  )
  expect(refused).toEqual([])
  expect(taken).toEqual([
    { kind: 'image', name: 'a.png', url: 'data:image/png;base64,iVA=' },
    { kind: 'text', name: 'b.csv', text: 'x,y\n1,2\n' },
  ])
})

test('a refused file is reported by name, with a hint', async () => {
  const { taken, refused } = await takeFiles(
    [
      file('a.pdf', new Uint8Array([37, 0, 255]), 'application/pdf'),
      file('b.svg', '<svg/>', 'image/svg+xml'),
      file('c.txt', 'x'.repeat(LONGEST_TEXT + 1)),
    ],
    [],
  )
  expect(taken).toEqual([])
  expect(refused).toHaveLength(3)
  expect(refused[0]).toContain('a.pdf is not a text file')
})

test('a fifth image is refused', async () => {
  const pictures = Array.from({ length: 5 }, (_, at) => file(`${at}.png`, new Uint8Array([1]), 'image/png'))
  const { taken, refused } = await takeFiles(pictures, [])
  expect(taken).toHaveLength(4)
  expect(refused[0]).toContain('4.png')
})

test('a text follows the question in a fence that it cannot close', () => {
  const asked = withTexts('What is it?', [{ kind: 'text', name: 'a.md', text: 'x\n```\ny\n' }])
  expect(asked).toBe('What is it?\n\nFile a.md:\n````\nx\n```\ny\n````')
})
