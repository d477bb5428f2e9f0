/** User data folders of editors in the VS Code family, below the home, on Linux, macOS and Windows. */
export function editorPlaces(products: readonly string[], below = ''): string[] {
  const folders = products.flatMap((product) => [
    `.config/${product}/User`,
    `Library/Application Support/${product}/User`,
    `AppData/Roaming/${product}/User`,
  ])
  return folders.map((folder) => (below === '' ? folder : `${folder}/${below}`))
}

/** Editors that run VS Code extensions. */
export const VSCODE_FAMILY = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf']
