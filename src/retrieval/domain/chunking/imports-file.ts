/**
 * Whether an import, as written in `importer`, refers to the file `target`. Paths are absolute, with forward slashes.
 */
export function importsFile(importer: string, module: string, target: string): boolean {
  const wanted = withoutExtension(target)
  const names = [wanted, wanted.replace(/\/(?:index|__init__|mod)$/, '')]
  if (module.startsWith('.') && !/^\.+\w/.test(module))
    return names.includes(withoutExtension(resolve(folderOf(importer), module)))
  // Python has `.sibling` and `package.module`, Java `a.b.C`, Rust `a::b`: dots and colons separate folders.
  const path = module
    .replace(/^\.+/, '')
    .replaceAll('::', '/')
    .replaceAll(/\.(?=\w)/g, '/')
  if (path === '' || !path.includes('/'))
    return names.some((name) => sameFolder(importer, name) && name.endsWith(`/${path}`))
  return (
    names.some((name) => name.endsWith(`/${withoutExtension(path)}`)) ||
    names.some((name) => name.endsWith(`/${withoutExtension(module)}`))
  )
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const sameFolder = (a: string, b: string): boolean => folderOf(a) === folderOf(b)
const withoutExtension = (path: string): string =>
  path.replace(/\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|rb|php|cs|c|h|cc|cpp|hpp|sh)$/, '')

function resolve(folder: string, relative: string): string {
  const parts = folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
