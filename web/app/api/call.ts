import type { Calls } from '../../../src/operations/registry.ts'
import { askForCode } from './confirmation.ts'
import { faultOf, notOffered, unreachable } from './fault.ts'
import { addressOf } from './place.ts'
import { isOffered } from './server.ts'
import { sessionHeaders } from './session.ts'

export type { Calls }
export type OperationName = keyof Calls

/** Calls an operation of a project, as every other surface does; throws a `Fault`. */
export async function call<N extends OperationName>(
  project: string,
  name: N,
  input: Calls[N]['input'],
  signal?: AbortSignal,
): Promise<Calls[N]['output']> {
  if (!isOffered(name)) throw notOffered()
  for (let code = {}; ;) {
    const response = await fetch(addressOf(project, name), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sessionHeaders(), ...code },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw unreachable()
    })
    if (response.ok) return (await response.json()) as Calls[N]['output']
    code = await askForCode(await faultOf(response))
  }
}
