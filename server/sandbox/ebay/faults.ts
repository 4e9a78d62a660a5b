/** Faults of the sandbox eBay, each in words that follow "it". */
export const faultKinds = {
  slow: 'answers late',
  fail_before: 'breaks the connection before it handles the call',
  fail_after: 'breaks the connection after it handled the call',
  http_500: 'answers 500, without eBay’s XML or JSON',
  html_body: 'answers 200 with an HTML page',
  rate_limit: 'reports, as eBay words it, too many calls in a short time',
  day_limit: 'reports that the application used up its calls of the day',
  cut: 'breaks the connection in the middle of the answer',
  token_invalid: 'rejects the token',
}
export type FaultKind = keyof typeof faultKinds
