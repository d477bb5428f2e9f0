import { readFileSync } from 'node:fs'
import { SERVE, SERVER_NAME } from '../../src/setup/domain/client.ts'
import { CLIENTS } from '../../src/setup/domain/clients.ts'
import { claudeCommands, commandSkills, geminiCommands, opencodeCommands } from './command-files.ts'
import { pluginReadme, shelfReadme } from './readmes.ts'
import { filesBelow, NPX, prefixed, setupFiles } from './setup-files.ts'

const MANIFEST = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Readonly<
  Record<'name' | 'version' | 'license' | 'mcpName', string>
>
// The MCP registry allows a hundred characters.
const DESCRIPTION = 'Project memory for AI agents: decisions, past sessions and context, on your own disk.'

/** Every installable file, by its path in the repository. */
export async function shelfFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    '.claude-plugin/marketplace.json': json(marketplace()),
    ...prefixed('integrations/claude-code', await claudePlugin()),
    ...prefixed('integrations/gemini', geminiExtension()),
    ...prefixed('integrations/codex', codexSnippet()),
    ...prefixed('integrations/opencode', opencodeSnippet()),
    'integrations/vscode/mcp.json': setupFiles('vscode', 'project')['/project/.vscode/mcp.json']!,
    'integrations/README.md': shelfReadme(codeLinks()),
    'server.json': json(registryEntry()),
  }
}

function marketplace(): object {
  return {
    name: MANIFEST.name,
    owner: { name: 'Ken' },
    metadata: { description: DESCRIPTION, version: MANIFEST.version },
    plugins: [
      {
        name: SERVER_NAME,
        source: './integrations/claude-code',
        description: DESCRIPTION,
        version: MANIFEST.version,
        license: MANIFEST.license,
        category: 'productivity',
      },
    ],
  }
}

async function claudePlugin(): Promise<Record<string, string>> {
  const files = setupFiles('claude-code', 'project')
  return {
    '.claude-plugin/plugin.json': json({
      name: SERVER_NAME,
      version: MANIFEST.version,
      description: DESCRIPTION,
      author: { name: 'Ken' },
      license: MANIFEST.license,
    }),
    '.mcp.json': files['/project/.mcp.json']!,
    'hooks/hooks.json': files['/project/.claude/settings.local.json']!,
    ...prefixed('skills', filesBelow(files, '/project/.claude/skills')),
    ...prefixed('commands', claudeCommands()),
    'README.md': await pluginReadme(),
  }
}

function geminiExtension(): Record<string, string> {
  const files = setupFiles('gemini', 'project')
  const { mcpServers, hooks } = JSON.parse(files['/project/.gemini/settings.json']!) as Record<string, object>
  return {
    'gemini-extension.json': json({
      name: SERVER_NAME,
      version: MANIFEST.version,
      description: DESCRIPTION,
      mcpServers,
    }),
    'hooks/hooks.json': json({ hooks }),
    ...prefixed('skills', filesBelow(files, '/project/.agents/skills')),
    ...prefixed('commands', geminiCommands()),
  }
}

function codexSnippet(): Record<string, string> {
  const files = setupFiles('codex', 'user')
  return {
    'config.toml': files['/home/.codex/config.toml']!,
    'hooks.json': files['/home/.codex/hooks.json']!,
    ...prefixed('skills', { ...filesBelow(files, '/home/.agents/skills'), ...commandSkills() }),
  }
}

function opencodeSnippet(): Record<string, string> {
  const files = setupFiles('opencode', 'project')
  return {
    'opencode.json': files['/project/opencode.json']!,
    ...prefixed('plugins', filesBelow(files, '/project/.opencode/plugins')),
    ...prefixed('commands', opencodeCommands()),
    ...prefixed('skills', filesBelow(files, '/project/.agents/skills')),
  }
}

/** A link that opens VS Code, and one for pages that allow only web addresses. */
function codeLinks(): { readonly direct: string; readonly web: string } {
  const entry = CLIENTS.vscode.entry(NPX)
  const config = encodeURIComponent(JSON.stringify(entry))
  return {
    direct: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...entry }))}`,
    web: `https://vscode.dev/redirect/mcp/install?name=${SERVER_NAME}&config=${config}`,
  }
}

/** The entry in the MCP registry. Its name must match the published package.json. */
function registryEntry(): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: MANIFEST.mcpName,
    title: 'Ken',
    description: DESCRIPTION,
    version: MANIFEST.version,
    packages: [
      {
        registryType: 'npm',
        identifier: MANIFEST.name,
        version: MANIFEST.version,
        runtimeHint: NPX[0],
        transport: { type: 'stdio' },
        packageArguments: SERVE.map((value) => ({ type: 'positional', value })),
      },
    ],
  }
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
