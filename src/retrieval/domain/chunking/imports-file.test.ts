import { expect, test } from 'vitest'
import { importsFile } from './imports-file.ts'

test.each([
  ['/r/src/a.ts', './b.ts', '/r/src/b.ts', true],
  ['/r/src/a.ts', '../lib/b.js', '/r/lib/b.ts', true],
  ['/r/src/a.ts', './lib', '/r/src/lib/index.ts', true],
  ['/r/src/a.ts', './b.ts', '/r/other/b.ts', false],
  ['/r/src/a.ts', 'b', '/r/other/b.ts', false],
  ['/r/app/main.py', 'app.store.files', '/r/app/store/files.py', true],
  ['/r/app/main.py', '.store', '/r/app/store.py', true],
  ['/r/app/main.py', 'store', '/r/app/store.py', true],
  ['/r/A.java', 'com.acme.Account', '/r/com/acme/Account.java', true],
  ['/r/A.java', 'com.acme.Account', '/r/com/other/Account.java', false],
])('in %s, the import %s refers to %s: %s', (importer, module, target, expected) => {
  expect(importsFile(importer, module, target)).toBe(expected)
})
