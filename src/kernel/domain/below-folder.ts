/** Whether an absolute path lies below a folder, on the system whose paths these are. */
export function isBelow(path: string, folder: string): boolean {
  const isWindows = /^(?:[a-z]:[\\/]|\\\\)/i.test(folder)
  const edge = folder.replace(isWindows ? /[\\/]+$/ : /\/+$/, '')
  const next = path.charAt(edge.length)
  return path.startsWith(edge) && path.length > edge.length && (next === '/' || (isWindows && next === '\\'))
}

export const isAbsolutePath = (path: string): boolean => /^(?:[\\/]|[a-z]:[\\/])/i.test(path)
