import { type FakeAnswer, type FakeRequest, html } from './answer.ts'

/** A fault as it was set, with how many calls it still strikes. */
export interface FaultInForce {
  call: string
  kind: string
  times: number
  skip: number
}

export interface TroubleOptions<Kind extends string> {
  /** What each does, said so that it ends a sentence that begins with "it". */
  kinds: Record<Kind, string>
  faults: {
    set(fault: { call: string; kind: Kind; times: number; skip: number; delayMs: number }): void
    clear(): void
    inForce(): FaultInForce[]
    /** Names of the calls that came in until now. */
    names(): string[]
  }
  /** Whose consent can be withdrawn. */
  sellers(): string[]
  revoke(seller: string): void
  /** A page in the platform's colours. */
  page(title: string, body: string): string
}

const path = '/trouble'

/**
 * A page on which whoever runs the sandbox makes its platform fail, as the real ones do: chooses what goes wrong for which
 * calls, and withdraws a seller's consent. Null for other requests.
 */
export function createTrouble<Kind extends string>(
  options: TroubleOptions<Kind>,
): (request: FakeRequest) => FakeAnswer | null {
  const { faults, page } = options
  const isKind = (kind: string): kind is Kind => Object.hasOwn(options.kinds, kind)

  function act(form: URLSearchParams): FakeAnswer {
    const seller = form.get('seller') ?? ''
    switch (form.get('action')) {
      case 'set':
        return set(form)
      case 'clear':
        faults.clear()
        return seeAgain
      case 'revoke':
        if (!options.sellers().includes(seller)) return refuse('Nobody here has that name.')
        options.revoke(seller)
        return seeAgain
      default:
        return refuse('Nothing was chosen.')
    }
  }

  function set(form: URLSearchParams): FakeAnswer {
    const kind = form.get('kind') ?? ''
    const call = form.get('call') || '*'
    const [times, skip, seconds] = ['times', 'skip', 'seconds'].map((name) => Number(form.get(name) ?? ''))
    if (!isKind(kind)) return refuse('No such trouble.')
    if (call !== '*' && !isName(call)) return refuse('A call is a name of letters and digits, or * for every call.')
    const isCount = (count: number | undefined, least: number): count is number =>
      count !== undefined && Number.isInteger(count) && count >= least && count <= 10_000
    if (!isCount(times, 1) || !isCount(skip, 0)) return refuse('How many calls: a whole number up to 10,000.')
    if (seconds === undefined || !(seconds >= 0 && seconds <= 600)) return refuse('How long: 0 to 600 seconds.')
    faults.set({ call, kind, times, skip, delayMs: seconds * 1_000 })
    return seeAgain
  }

  const refuse = (why: string) =>
    html(page('That does not work', `<p role="alert">${why}</p><p><a href="${path}">Back</a></p>`), 400)

  function show(): FakeAnswer {
    const choices = Object.entries(options.kinds).map(
      ([kind, does]) => `<option value="${kind}">${kind}: ${does}</option>`,
    )
    // Any program on this machine may have called it anything.
    const known = ['*', 'token', ...faults.names().filter(isName)]
    const inForce = faults
      .inForce()
      .map(
        ({ call, kind, times, skip }) =>
          `<li>${call === '*' ? 'every call' : call}: ${kind}, ${times} more${skip > 0 ? ` after ${skip}` : ''}</li>`,
      )
    const revocations = options
      .sellers()
      .map((seller) => `<li>${seller} ${button('revoke', 'Withdraw consent', seller)}</li>`)
    return html(
      page(
        'Trouble',
        `<p>What goes wrong here goes wrong for every application that calls this sandbox, until it has struck as often as you say.</p>
<form method="post" action="${path}">
<p><label>What goes wrong <select name="kind" style="max-width:100%;font:inherit">${choices.join('')}</select></label>
<label>For which calls <input name="call" list="calls" value="*" pattern="\\*|\\w{1,80}" style="font:inherit"></label>
<datalist id="calls">${[...new Set(known)].map((name) => `<option value="${name}">`).join('')}</datalist>
<label>How many of them <input name="times" type="number" min="1" max="10000" value="1" required style="font:inherit"></label>
<label>After how many that pass <input name="skip" type="number" min="0" max="10000" value="0" required style="font:inherit"></label>
<label>How slow, in seconds <input name="seconds" type="number" min="0" max="600" step="any" value="5" required style="font:inherit"></label></p>
<button name="action" value="set">Make trouble</button>
</form>
<h2>In force</h2>
${inForce.length > 0 ? `<ul>${inForce.join('\n')}</ul>${button('clear', 'End all of it')}` : '<p>Nothing.</p>'}
<h2>Sellers</h2>
<p>One who withdraws the consent has to connect the shop again.</p>
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

const button = (action: string, says: string, seller?: string) =>
  `<form method="post" action="${path}" class="buy">${
    seller === undefined ? '' : `<input type="hidden" name="seller" value="${seller}">`
  }<button name="action" value="${action}"${seller === undefined ? '' : ` aria-label="${says} of ${seller}"`}>${says}</button></form>`

const isName = (call: string) => /^\w{1,80}$/.test(call)

const seeAgain: FakeAnswer = { ...html('', 303), headers: { location: path } }
