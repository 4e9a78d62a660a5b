import { useState } from 'preact/hooks'
import { createInvitation, deleteInvitations, readServer } from '#shared/contract/own-server.ts'
import { whenText } from '../common/format.ts'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** The version that runs and, for the owner of the installation, its backup and the invitations. */
export function OwnServer() {
  const request = useRequest('server', () => callAccount(readServer, {}))
  const { busy, act, notices } = useAccountAction()
  const [link, setLink] = useState<string | null>(null)
  if (request.state !== 'ready') return null
  const { version, owned } = request.value
  const invitations = owned?.registration === 'invited' ? owned.invitations : null
  return (
    <section class="part" aria-labelledby="server">
      <h2 id="server">{text('server.title')}</h2>
      <p>{text('server.version', { version })}</p>
      <p class="soft">{text('server.newer')}</p>
      {owned && <p class={owned.backup_is_late ? 'warn' : ''}>{backupText(owned.backed_up_at)}</p>}
      {notices}
      {invitations !== null && (
        <div class="buttons">
          <button
            type="button"
            aria-disabled={busy}
            onClick={() => act(async () => setLink((await callAccount(createInvitation, {})).url))}
          >
            {text('server.invite')}
          </button>
          {invitations > 0 && (
            <button
              type="button"
              aria-disabled={busy}
              onClick={() =>
                act(async () => {
                  await callAccount(deleteInvitations, {})
                  request.again()
                })
              }
            >
              {text('server.end_invitations', { count: invitations })}
            </button>
          )}
        </div>
      )}
      {link !== null && (
        <SecretDialog
          title={text('server.invitation')}
          words={text('server.invitation_text')}
          secret={link}
          onClose={() => {
            setLink(null)
            request.again()
          }}
        />
      )}
    </section>
  )
}

/** Warns the owner of the installation of a late backup. */
export function BackupNotice() {
  const request = useRequest('server', () => callAccount(readServer, {}))
  if (request.state !== 'ready' || !request.value.owned?.backup_is_late) return null
  return (
    <section class="part">
      <p class="warn" role="alert">
        {backupText(request.value.owned.backed_up_at)} {text('server.backup_how')}
      </p>
    </section>
  )
}

const backupText = (at: string | null) =>
  at === null ? text('server.no_backup') : text('server.backed_up', { when: whenText(Date.parse(at)) })
