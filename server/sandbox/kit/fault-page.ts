import type { Faults } from './faults.ts'
import { html, redirect, type SandboxRequest, type SandboxResponse } from './http.ts'

interface FaultPageOptions<Kind extends string> {
  /** Each kind with what the platform then does, in words that follow "it". */
  kinds: Record<Kind, string>
  faults: Faults<Kind>
  /** Sellers whose consent can be revoked. */
  sellers(): string[]
  revoke(seller: string): void
  page(title: string, body: string): string
}

const path = '/faults'
/** How long a press breaks a marketplace. */
const pressMs = 120_000

/** Faults that one press switches on for two minutes, with the words of its button. */
const presses = { fail_before: 'Down for 2 minutes', slow: 'Slow for 2 minutes', http_500: 'Refuses for 2 minutes' }

/** The buttons that break a marketplace by one press, and what to see then. */
export const faultButtons = (name: string) =>
  `<h2>Make ${name} fail</h2><form method="post" action="${path}">${Object.entries(presses)
    .map(([kind, words]) => `<button name="press" value="${kind}">${words}</button>`)
    .join(' ')}</form><p>Then see what Hapax does. <a href="${path}">More faults</a></p>`

/**
 * Creates the page for fault injection, where the operator of the sandbox chooses faults and revokes consents. Returns
 * null for other requests.
 */
export function createFaultPage<Kind extends string>(
  options: FaultPageOptions<Kind>,
): (request: SandboxRequest) => SandboxResponse | null {
  const { faults, page } = options
  const isKind = (kind: string): kind is Kind => Object.hasOwn(options.kinds, kind)

  function act(form: URLSearchParams): SandboxResponse {
    const press = form.get('press') ?? ''
    if (isKind(press) && press in presses) {
      faults.set({ call: '*', kind: press, times: 10_000, delayMs: 20_000, forMs: pressMs })
      return redirect(path)
    }
    const seller = form.get('seller') ?? ''
    switch (form.get('action')) {
      case 'set':
        return set(form)
      case 'clear':
        faults.clear()
        return redirect(path)
      case 'revoke':
        if (!options.sellers().includes(seller)) return refuse('No seller has that name.')
        options.revoke(seller)
        return redirect(path)
      default:
        return refuse('No action was chosen.')
    }
  }

  function set(form: URLSearchParams): SandboxResponse {
    const kind = form.get('kind') ?? ''
    const call = form.get('call') || '*'
    const [times, skip, seconds] = ['times', 'skip', 'seconds'].map((name) => Number(form.get(name) ?? ''))
    if (!isKind(kind)) return refuse('No such fault.')
    if (call !== '*' && !isName(call)) return refuse('A call is a name of letters and digits, or * for every call.')
    const isCount = (count: number | undefined, least: number): count is number =>
      count !== undefined && Number.isInteger(count) && count >= least && count <= 10_000
    if (!isCount(times, 1) || !isCount(skip, 0)) return refuse('Counts are whole numbers up to 10,000.')
    if (seconds === undefined || !(seconds >= 0 && seconds <= 600)) return refuse('The delay is 0 to 600 seconds.')
    faults.set({ call, kind, times, skip, delayMs: seconds * 1_000 })
    return redirect(path)
  }

  const refuse = (why: string) =>
    html(page('That does not work', `<p role="alert">${why}</p><p><a href="${path}">Back</a></p>`), 400)

  function show(): SandboxResponse {
    const choices = Object.entries(options.kinds).map(
      ([kind, does]) => `<option value="${kind}">${kind}: ${does}</option>`,
    )
    // Any local program may have sent a call of any name, so show only plain names.
    const known = ['*', 'token', ...faults.names().filter(isName)]
    const inForce = faults
      .inForce()
      .map(
        ({ call, kind, times, skip }) =>
          `<li>${call === '*' ? 'every call' : call}: ${kind}, ${times} more${skip > 0 ? ` after ${skip}` : ''}</li>`,
      )
    const revocations = options
      .sellers()
      .map((seller) => `<li>${seller} ${button('revoke', 'Revoke consent', seller)}</li>`)
    return html(
      page(
        'Fault injection',
        `<p>A fault strikes every application that calls this sandbox, as many times as you say.</p>
<form method="post" action="${path}">
<p><label>Fault <select name="kind">${choices.join('')}</select></label>
<label>Calls <input name="call" list="calls" value="*" pattern="\\*|\\w{1,80}"></label>
<datalist id="calls">${[...new Set(known)].map((name) => `<option value="${name}">`).join('')}</datalist>
<label>Calls to strike <input name="times" type="number" min="1" max="10000" value="1" required></label>
<label>Calls to let pass first <input name="skip" type="number" min="0" max="10000" value="0" required></label>
<label>Delay in seconds <input name="seconds" type="number" min="0" max="600" step="any" value="5" required></label></p>
<button class="primary" name="action" value="set">Add fault</button>
</form>
<h2>Active faults</h2>
${inForce.length > 0 ? `<ul>${inForce.join('\n')}</ul>${button('clear', 'Clear all faults')}` : '<p>None.</p>'}
<h2>Sellers</h2>
<p>A seller who revokes the consent has to connect the shop again.</p>
<ul>${revocations.join('\n')}</ul>`,
      ),
    )
  }

  return (request) => {
    if (request.path !== path) return null
    if (request.method === 'POST') return act(new URLSearchParams(request.body))
    return request.method === 'GET' ? show() : null
  }
}

const button = (action: string, words: string, seller?: string) =>
  `<form method="post" action="${path}" class="inline">${
    seller === undefined ? '' : `<input type="hidden" name="seller" value="${seller}">`
  }<button name="action" value="${action}"${seller === undefined ? '' : ` aria-label="${words} of ${seller}"`}>${words}</button></form>`

const isName = (call: string) => /^\w{1,80}$/.test(call)
