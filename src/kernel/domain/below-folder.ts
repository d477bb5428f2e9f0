/** Whether an absolute path is below a folder, by the path rules of its system. */
export function isBelow(path: string, folder: string): boolean {
  const isWindows = /^(?:[a-z]:[\\/]|\\\\)/i.test(folder)
  const edge = folder.replace(isWindows ? /[\\/]+$/ : /\/+$/, '')
  const next = path.charAt(edge.length)
  return path.startsWith(edge) && path.length > edge.length && (next === '/' || (isWindows && next === '\\'))
}

export const isAbsolutePath = (path: string): boolean => /^(?:[\\/]|[a-z]:[\\/])/i.test(path)
