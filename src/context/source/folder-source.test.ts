import { expect, test } from 'vitest'
import { openFolderSource } from './folder-source.ts'

const open = (folder: string) =>
  openFolderSource({ folder, root: '/projects/shop', target: 'docs/x', include: [], exclude: [] })

test.each(['/projects/shop', '/projects', '/'])(
  '%s contains the project, so it is not copied into itself',
  (folder) => {
    expect(() => open(folder)).toThrow('holds the context project itself')
  },
)

test.each(['/projects/shop/docs', '/projects/shop-2', '/projects/other', '/projects/..shop'])(
  '%s may be copied',
  (folder) => {
    expect(() => open(folder)).not.toThrow()
  },
)
