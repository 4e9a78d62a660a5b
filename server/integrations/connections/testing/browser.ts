/** A minimal browser for connecting shops: cookies by origin, single redirects and forms. */
export interface Browser {
  get(url: string, headers?: Record<string, string>): Promise<Visit>
  post(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Visit>
  /** Follows redirects to their end. */
  open(url: string): Promise<Visit>
  cookies: Map<string, Map<string, string>>
}

export interface Visit {
  url: string
  status: number
  headers: Headers
  text: string
  /** Absolute; null without a redirect. */
  location: string | null
}

export function createBrowser(): Browser {
  const cookies = new Map<string, Map<string, string>>()

  async function visit(url: string, init: RequestInit): Promise<Visit> {
    const { origin } = new URL(url)
    const jar = cookies.get(origin) ?? new Map<string, string>()
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...init.headers, ...(cookie ? { cookie } : {}) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s)
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    cookies.set(origin, jar)
    const location = response.headers.get('location')
    return {
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? null : new URL(location, url).href,
    }
  }

  // Sends the headers of a link on our own page, unless a test sets others.
  const get: Browser['get'] = (url, headers = {}) =>
    visit(url, { headers: { 'sec-fetch-site': 'same-origin', ...headers } })
  return {
    cookies,
    get,
    post: (url, fields, headers = {}) =>
      visit(url, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin', ...headers },
      }),
    async open(url) {
      let seen = await get(url)
      for (let hops = 0; seen.location !== null; hops++) {
        if (hops > 10) throw new Error(`too many redirects from ${url}`)
        seen = await get(seen.location)
      }
      return seen
    },
  }
}
