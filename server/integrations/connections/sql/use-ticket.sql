-- Consumes a ticket once, before it expires, for its platform, while the account is active. Returns its holder.
update connect_ticket ticket set used_at = now()
from app_user
where ticket.ticket_hash = ${ticket_hash} and ticket.platform = ${platform}
  and ticket.used_at is null and ticket.expires_at > now()
  and app_user.id = ticket.user_id and app_user.state = 'active'
returning ticket.user_id
