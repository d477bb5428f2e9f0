/** 303: a POST here is never repeated there. */
export function sendTo(address: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
