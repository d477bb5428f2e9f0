// A thin client of `ken lsp`: everything it shows comes from that server.
import * as vscode from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'

let client

export async function activate(context) {
  const [command, ...args] = vscode.workspace.getConfiguration('ken').get('command')
  const run = { command, args: [...args, 'lsp'], options: { shell: process.platform === 'win32' } }
  client = new LanguageClient('ken', 'Ken', run, {
    documentSelector: [{ scheme: 'file' }],
    middleware: { executeCommand: withPrompts },
  })
  const view = decisionsView()
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left)
  status.command = 'ken.showStatus'
  const on = (name, work) => vscode.commands.registerCommand(name, work)
  context.subscriptions.push(
    status,
    client,
    vscode.window.registerTreeDataProvider('ken.decisions', view),
    vscode.window.onDidChangeActiveTextEditor(() => view.refresh()),
    vscode.workspace.onDidSaveTextDocument(() => view.refresh()),
    on('ken.checkSelection', checkSelection),
    on('ken.search', search),
    on('ken.proposeDecision', () => inTerminal('ken propose')),
    on('ken.showStatus', () => showStatus(status)),
    on('ken.trust', () => inTerminal('ken trust')),
  )
  client.onNotification('ken/stateChanged', async ({ state }) => {
    view.refresh()
    await updateStatus(status)
    if (state !== 'untrusted') return
    const review = 'Review in terminal'
    const chosen = await vscode.window.showInformationMessage('The record of this clone is not trusted yet.', review)
    if (chosen === review) await vscode.commands.executeCommand('ken.trust')
  })
  await client.start()
  await updateStatus(status)
}

export const deactivate = () => client?.stop()

/** A supersession needs a title, which only the person can give. */
async function withPrompts(command, args, next) {
  if (command !== 'ken.propose' || args[0]?.title !== undefined) return next(command, args)
  const title = await vscode.window.showInputBox({ title: 'Supersede a decision', prompt: 'The new decision in one line' })
  if (!title?.trim()) return undefined
  const rationale = await vscode.window.showInputBox({ title, prompt: 'Why does the old decision no longer hold?' })
  if (!rationale?.trim()) return undefined
  return next(command, [{ ...args[0], title, rationale }])
}

/** The decisions that govern the file in the active editor. */
function decisionsView() {
  const changed = new vscode.EventEmitter()
  return {
    onDidChangeTreeData: changed.event,
    refresh: () => changed.fire(),
    async getChildren() {
      const uri = vscode.window.activeTextEditor?.document.uri.toString()
      return uri === undefined || !client.isRunning() ? [] : client.sendRequest('ken/decisions', { uri })
    },
    getTreeItem({ label, title, date, trust, uri }) {
      const item = new vscode.TreeItem(`${label} ${title}`)
      item.description = trust === 'approved' ? date : `${date}, ${trust}`
      item.iconPath = new vscode.ThemeIcon('law')
      item.command = { command: 'vscode.open', title: 'Open', arguments: [vscode.Uri.parse(uri, true)] }
      return item
    },
  }
}

async function checkSelection() {
  const editor = vscode.window.activeTextEditor
  const text = editor?.document.getText(editor.selection).slice(0, 10_000)
  if (!text?.trim()) return void vscode.window.showInformationMessage('Select what to check against decisions.')
  const { assessment, decisions } = await client.sendRequest('ken/check', { uri: editor.document.uri.toString(), text })
  await pick(decisions, assessment)
}

async function search() {
  const query = await vscode.window.showInputBox({ prompt: 'Search decisions' })
  if (!query?.trim()) return
  const uri = vscode.window.activeTextEditor?.document.uri.toString()
  await pick(await client.sendRequest('ken/search', { uri, query }), query)
}

async function pick(decisions, title) {
  if (decisions.length === 0) return void inform(`No decision found. ${title}`)
  const items = decisions.map(({ label, title: description, status, uri }) => ({ label, description, detail: status, uri }))
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true })
  if (chosen) await vscode.window.showTextDocument(vscode.Uri.parse(chosen.uri, true))
}

/** Record text makes no link in a message: VS Code would run `[x](command:y)`. */
const inform = (text) => vscode.window.showInformationMessage(text.replaceAll(/\]\s*\(/g, '] - ('))

async function updateStatus(item) {
  const folders = await client.sendRequest('ken/status', {})
  const ready = folders.filter(({ state }) => state === 'ready')
  const active = ready.reduce((sum, each) => sum + each.active, 0)
  const proposed = ready.reduce((sum, each) => sum + each.proposed, 0)
  item.text = `$(law) ${active}${proposed === 0 ? '' : ` (${proposed} pending)`}`
  item.tooltip = folders.map(describe).join('\n')
  if (ready.length === 0) item.hide()
  else item.show()
  return folders
}

async function showStatus(item) {
  inform((await updateStatus(item)).map(describe).join(' ') || 'No folder is open.')
}

function describe({ folder, state, name, active, proposed, questions, message }) {
  if (state === 'ready')
    return `${name}: ${active} active decisions, ${proposed} agent proposals pending review, ${questions} open questions.`
  if (state === 'untrusted') return `${folder}: the record is not trusted yet.`
  return state === 'failed' ? message : `${folder}: no record.`
}

function inTerminal(command) {
  const terminal = vscode.window.createTerminal('Ken')
  terminal.show()
  // The person reads the command and presses Enter.
  terminal.sendText(command, false)
}
