import { useEffect, useRef, useState } from 'preact/hooks'
import { HapaxError } from '#shared/client/error.ts'
import { confirmSaleMailRecipient, readSaleMail } from '#shared/contract/selling/sale-mail.ts'
import { callAccount, messageOf } from '../account/call-account.ts'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { Forward } from './forward.tsx'
import { dropLinkToken, readLinkToken } from './link-token.ts'
import { Mailbox } from './mailbox.tsx'
import { Recipients } from './recipients.tsx'
import { text } from './words.ts'

const ways = ['gmail', 'outlook', 'icloud', 'imap'] as const
type Way = (typeof ways)[number]

/** Asks for the seller's mailbox and shows how its sale mails arrive. A mailed link leads here, too, and its address is confirmed. */
export function SaleMailSetup() {
  const request = useRequest('sale mail', () => callAccount(readSaleMail, {}))
  const confirmed = useConfirmation(request.again)
  const [chosen, setChosen] = useState<Way>('gmail')
  if (request.state === 'loading') return null
  if (request.state === 'failed') {
    return <Failure message={request.message} onRetry={request.again} />
  }
  const { address, mailbox, recipients } = request.value
  const way = mailbox ? 'imap' : chosen
  return (
    <>
      {confirmed && <Notice tone={confirmed.tone}>{confirmed.words}</Notice>}
      {address !== null && !mailbox && (
        <label class="part">
          {text('setup.which')}
          <select value={way} onChange={(event) => setChosen(event.currentTarget.value as Way)}>
            {ways.map((one) => (
              <option key={one} value={one}>
                {text(`forward.${one}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      {address === null || way === 'imap' ? (
        <Mailbox key={String(mailbox === null)} mailbox={mailbox} onChanged={request.again} />
      ) : (
        <Forward address={address} way={way} onChanged={request.again} />
      )}
      <Recipients recipients={recipients} onChanged={request.again} />
    </>
  )
}

interface Said {
  tone: 'plain' | 'bad'
  words: string
}

/** Confirms an address with the token of a link that was opened in this tab, and returns what to say about it. */
function useConfirmation(onConfirmed: () => void): Said | null {
  const [said, setSaid] = useState<Said | null>(null)
  const busy = useRef(false)
  useEffect(() => {
    const confirm = async () => {
      const token = readLinkToken()
      if (token === null || busy.current) return
      busy.current = true
      setSaid({ tone: 'plain', words: text('confirm.busy') })
      try {
        const { email } = await callAccount(confirmSaleMailRecipient, { body: { token } })
        dropLinkToken()
        setSaid({ tone: 'plain', words: text('confirm.done', { email }) })
        onConfirmed()
      } catch (error) {
        const isOver = error instanceof HapaxError && error.code === 'code_invalid'
        if (isOver) dropLinkToken()
        setSaid({ tone: 'bad', words: isOver ? text('confirm.failed') : messageOf(error) })
      }
      busy.current = false
    }
    void confirm()
    const listen = () => void confirm()
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  return said
}
