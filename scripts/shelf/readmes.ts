import { spellNames } from '../../src/kernel/domain/named-operation.ts'
import { loadOperations, type RegisteredOperation } from '../../src/operations/registry.ts'
import { FOR_PROGRAMS } from '../../src/operations/spelling.ts'
import { COMMANDS } from '../../src/setup/domain/commands.ts'
import { SKILLS } from '../../src/setup/domain/skills.ts'

const MADE = '<!-- Made by `npm run shelf`. -->'

const commandTable = (call: (name: string) => string): string =>
  [
    '| command | what it does |',
    '| --- | --- |',
    ...COMMANDS.map((command) => `| \`${call(command.name)} [${command.argument}]\` | ${command.description} |`),
  ].join('\n')

/** README of the plugin, for its marketplace page. */
export async function pluginReadme(): Promise<string> {
  return `${MADE}

# Ken for Claude Code

Ken is the memory that every AI agent on a project shares: decisions with the alternatives that were turned down, open
questions, the current state, past sessions and notes of every coding agent. Everything stays in plain files on your own disk.

This plugin brings, in one install:

- the MCP server \`ken\`, started as \`npx -y kenbase\` (Node 22.18 or newer);
- hooks: a session starts with the short context, a prompt with the decisions that are strongly related to it;
- the skills ${SKILLS.map(({ name }) => `\`${name}\``).join(', ')};
- these commands:

${commandTable((name) => `/ken:${name}`)}

Start a record with \`npx -y kenbase init\` in the repository, or \`/ken:ken-adopt\` to seed one from what is there. A repository
that was set up with \`ken setup claude-code\` has the server and the hooks already: remove them there first
(\`ken setup claude-code --remove\`), or a session gets everything twice.

## Tools

${(await tools()).map((tool) => `- \`${tool.name}\`: ${spellNames(tool.summary, FOR_PROGRAMS)}`).join('\n')}
`
}

const tools = async (): Promise<RegisteredOperation[]> =>
  (await loadOperations(['agent'])).filter((operation) => operation.hiddenFrom.mcp === undefined)

/** README of `integrations/`: its contents, and how to install each. */
export function shelfReadme(links: { readonly direct: string; readonly web: string }): string {
  return `${MADE}

# Ken in your client

Everything here starts Ken as \`npx -y kenbase\`: nothing need be installed first but Node 22.18 or newer. On Windows, and where
you want the files written for you, use \`npx -y kenbase setup <client>\` instead. Use one of them: with both, a session gets
everything twice.

\`KEN\` stands for the folder of this repository, or of the installed package (\`$(npm root -g)/kenbase\`).

| client | install | remove |
| --- | --- | --- |
| Claude Code | \`claude plugin marketplace add KEN\`, \`claude plugin install ken@kenbase\` | \`claude plugin uninstall ken@kenbase\` |
| Gemini CLI | \`gemini extensions install KEN/integrations/gemini\` | \`gemini extensions uninstall ken\` |
| Codex | add [codex/config.toml](codex/config.toml) to \`~/.codex/config.toml\`, copy [codex/hooks.json](codex/hooks.json) beside it (trust the hooks with \`/hooks\`), [codex/skills](codex/skills) to \`~/.agents/skills\` | take them out again |
| OpenCode | add [opencode/opencode.json](opencode/opencode.json) to yours, copy [opencode/plugins](opencode/plugins) and [opencode/commands](opencode/commands) to \`.opencode/\` or \`~/.config/opencode/\`, [opencode/skills](opencode/skills) to \`.agents/skills\` | take them out again |
| VS Code | [Install in VS Code](${links.web}), or [vscode/mcp.json](vscode/mcp.json) as \`.vscode/mcp.json\` | "MCP: List Servers", \`ken\`, Uninstall |
| any other | the command \`npx -y kenbase\`, over stdio | |

For people who write code, [vscode/extension](vscode/extension) and [editors](editors) show decisions in the editor itself
([guide](../docs/guides/editor.md)).

The same link for VS Code without a page in between:

\`\`\`
${links.direct}
\`\`\`

## Commands

${commandTable((name) => `/ken:${name}`)}

In OpenCode they are \`/ken/check\`, in Codex \`$ken-check\`. Wherever the server is connected they are also prompts of MCP, under
the names ${COMMANDS.map(({ name }) => `\`${name}\``).join(', ')}, which most clients show as commands of their own.

## The registry of MCP servers

[server.json](../server.json) describes the package for it. The registry gives out names under a domain or an account that
the publisher owns: set \`mcpName\` in package.json to yours, e.g. \`io.github.<account>/ken\`, run \`npm run shelf\`, publish the
package, then \`mcp-publisher publish\`.
`
}
