// Written by Ken (`ken setup opencode --with-hooks`); `ken setup opencode --remove` takes it away.
import { spawn } from 'node:child_process'

const PROGRAM = "npx"
const ARGUMENTS = ["-y","kenbase","hook"]

function ask(event, payload) {
  return new Promise((resolve) => {
    let answer = ''
    const child = spawn(PROGRAM, [...ARGUMENTS, event, '--client', 'opencode', '--patience', '10'], { cwd: payload.cwd, stdio: ['pipe', 'pipe', 'ignore'], timeout: 10000 })
    child.on('error', () => resolve(''))
    child.on('close', () => resolve(answer.trim()))
    child.stdout.on('data', (chunk) => { answer += chunk })
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

export const Ken = async ({ directory }) => {
  const shown = new Map()
  return {
    'chat.message': async (input, output) => {
      const session = { session_id: input.sessionID, cwd: directory }
      const prompt = output.parts.filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text).join('\n')
      const known = shown.get(input.sessionID) ?? [ask('session-start', session)]
      // One after the other: a start makes Ken forget the content shown to the session before.
      shown.set(input.sessionID, [...known, known.at(-1).then(() => ask('prompt', { ...session, prompt }))])
    },
    'experimental.chat.system.transform': async (input, output) => {
      const answers = await Promise.all(shown.get(input.sessionID) ?? [])
      output.system.push(...answers.filter((answer) => answer !== ''))
    },
  }
}
