export const PASSKEY_SCRIPT = '/sign-in/passkey.js'

/** The page script: passes the server's challenge to the authenticator, and its response back. */
const SCRIPT = `const said = document.querySelector('#passkey-said')
const post = async (address, body) => {
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const told = await response.json()
  if (!response.ok) throw new Error([told.error?.message, told.error?.hint].filter(Boolean).join(' '))
  return told
}
const offer = (button, work) => {
  if (!button || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) return
  button.hidden = false
  button.addEventListener('click', async () => {
    said.textContent = ''
    button.disabled = true
    try {
      location.assign(await work())
    } catch (error) {
      said.textContent = error.name === 'NotAllowedError' ? 'No passkey selected.' : error.message
      button.disabled = false
    }
  })
}
const enter = document.querySelector('#passkey')
offer(enter, async () => {
  const { options } = await post('/sign-in/passkey/ask', {})
  const found = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  return (await post('/sign-in/passkey', { response: found.toJSON(), to: enter.dataset.to })).to
})
const add = document.querySelector('#add-passkey')
offer(add, async () => {
  const { options } = await post('/account/passkeys/ask', {})
  const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
  await post('/account/passkeys', { response: made.toJSON(), name: document.querySelector('#passkey-name').value })
  return '/account'
})
`

export const answerPasskeyScript = (): Response =>
  new Response(SCRIPT, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  })
