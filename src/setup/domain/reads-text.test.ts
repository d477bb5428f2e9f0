import { expect, test } from 'vitest'
import { readsText } from './reads-text.ts'

// Names as sent to a recording server, or from the clients' sources.
test.each([
  'claude-code',
  'claude-code/2.1.220 (cli)',
  'codex-mcp-client',
  'opencode',
  'gemini-cli-mcp-client',
  'gemini-cli-mcp-client-ken',
  'qwen-cli-mcp-client-ken',
  'github-copilot-developer',
  'copilot-cli',
  'Cursor',
  'cursor-vscode',
  'Visual Studio Code',
  'Zed',
  'Cline',
  'Roo Code',
  'goose',
])('%s reads the text', (name) => expect(readsText(name)).toBe(true))

test.each([
  undefined,
  '',
  'test-agent',
  'mcp-inspector',
  'my-program',
  'pipeline',
  'node',
  'python-httpx/0.28',
  'zedd',
])('%s also gets the data', (name) => expect(readsText(name)).toBe(false))
