/** A 303 redirect, so that a POST is not repeated at the target. */
export function sendTo(address: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
