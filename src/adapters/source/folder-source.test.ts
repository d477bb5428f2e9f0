import { expect, test } from 'vitest'
import { openFolderSource } from './folder-source.ts'

const open = (folder: string) =>
  openFolderSource({ folder, root: '/work/shop', target: 'docs/x', include: [], exclude: [] })

test.each(['/work/shop', '/work', '/'])('%s holds the project, so it is not copied into itself', (folder) => {
  expect(() => open(folder)).toThrow('holds the context project itself')
})

test.each(['/work/shop/docs', '/work/shop-2', '/work/other', '/work/..shop'])('%s may be copied', (folder) => {
  expect(() => open(folder)).not.toThrow()
})
