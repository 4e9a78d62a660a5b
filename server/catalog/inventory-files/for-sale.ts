import { foldedNames, foldHeading } from './headings.ts'
import { readDates } from './reading/dates.ts'

/** Why a row is left out. */
export interface LeftOut {
  reason: string
  /** The column that says it, where it is one of ours. */
  field: string
  /** The item is sold. */
  isSold: boolean
}

/** Columns that say whether the item of a row is for sale, in any program's file and in people's own sheets. */
const roles = {
  status: `status,state,sold status,sales status,inventory status,ebay status,etsy status,poshmark status,item state,listing state,item status,listing status,stock status,product status,sale status,availability,
    Angebotsstatus,Artikelstatus,Verkaufsstatus,Verfügbarkeit,Statut,Statut de l'annonce,Disponibilité,
    Stato,Stato inserzione,Disponibilità,Estado,Estado del anuncio,Disponibilidad`,
  /** Columns with yes or no. */
  offered: `in stock,published,published on online store,visible,is visible,sellable,available,for sale,active,is active,Vorrätig,Auf Lager,Verfügbar,Veröffentlicht,Aktiv,
    En stock,Disponible,Publié,En vente,In vendita,Disponibile,Pubblicato,En venta,Publicado,En inventario,Existencias`,
  quantity: `quantity,qty,qty on hand,quantity on hand,qty available,available qty,qty in stock,quantity in stock,
    stock qty,number in stock,qty left,remaining,available quantity,quantity available,quantity left,stock,stock quantity,stock level,pieces,
    units,on hand,on hand (current),stock on hand,qty remaining,current stock,available stock,inventory qty,units available,
    quantity to sell on facebook,Voorraad,Quantidade,total quantity,current quantity,inventory,inventory count,inventory quantity,variant inventory qty,Anzahl,Menge,Stück,Stückzahl,Bestand,Lagerbestand,
    Verfügbare Stückzahl,Verfügbare Anzahl,Verfügbare Menge,Quantité,Quantité disponible,Quantité en stock,
    Quantità,Quantità disponibile,Giacenza,Aantal,Cantidad,Cantidad disponible,Unidades`,
  /** The program that counts the pieces. Without one, Shopify counts none. */
  tracker: 'variant inventory tracker,inventory tracker',
  /** Columns that say whether the pieces are counted. */
  isCounted: `manage stock,managing stock,stock managed,track quantity,track inventory,track stock,tracks inventory,
    inventory tracked,inventory managed,stockable,Lagerverwaltung,Lagerbestand verwalten,Bestand verwalten,
    Gérer le stock,Gestion du stock,Gestisci magazzino,Gestione magazzino,Gestionar inventario,Gestión de inventario`,
  /** Columns with yes or no, or with how many were sold. */
  sold: `sold,is sold,sold quantity,quantity sold,sold qty,qty sold,units sold,sold units,items sold,pieces sold,pcs sold,
    number sold,sold count,total sold,num sold,no sold,
    Verkauft,Verkaufte Menge,Verkaufte Stückzahl,Verkaufte Anzahl,Anzahl verkauft,Stück verkauft,Menge verkauft,
    Vendu,Vendue,Quantité vendue,Nombre vendu,Unités vendues,Venduto,Venduta,Quantità venduta,Pezzi venduti,
    Vendido,Vendida,Cantidad vendida,Unidades vendidas,Aantal verkocht`,
  /** Columns with yes for what is not for sale. */
  hidden: 'archived,is archived,hidden,is hidden,deleted,is deleted,donated,is draft',
  /** Columns with the day on which a listing ends or has ended. */
  end: `end date,end time,listing end date,listing end,listing ends,ends,ends on,ends at,end on,date ended,ended,ended on,
    ended at,ended date,ending date,expires,expires on,expires at,expiry date,expiry,expiration date,expiration,
    date expires,auction end,auction end date,Enddatum,Endet am,Endet,Angebotsende,Beendet am,Ablaufdatum,Läuft ab am,
    Date de fin,Fin de l'annonce,Date d'expiration,Expire le,Terminée le,Data di fine,Data fine,Scadenza,
    Data di scadenza,Scade il,Fecha de finalización,Fecha de fin,Fecha final,Fecha de vencimiento,Caduca el,Finaliza el`,
  /** Columns that only a sale fills. */
  soldDetail: `date sold,sold date,sold on,sold at,sale date,date of sale,sales date,sold platform,sold where,
    sold in,sold amount,sale amount,sell date,platform sold,where sold,sold via,sold to,sold for,
    price sold,sold price,sold for price,final sale price,winning bid,hammer price,amount paid,buyer paid,order number,order id,buyer,buyer name,buyer username,date shipped,shipped date,
    Verkoopdatum,Prix vendu,Precio vendido,Verkauft am,Verkaufsdatum,Verkauft auf,Verkauft über,Verkauft für,Verkauft an,Bestellnummer,Käufer,
    Vendu le,Date de vente,Vendu sur,Vendu pour,Acheteur,Numéro de commande,
    Venduto il,Data vendita,Data di vendita,Venduto su,Venduto per,Acquirente,Numero ordine,
    Vendido el,Fecha de venta,Vendido en,Vendido por,Comprador,Número de pedido`,
}
type Role = keyof typeof roles

const roleNames = Object.entries(roles).map(([role, names]) => [role as Role, new Set(foldedNames(names))] as const)

/** How a heading says in which form its cells are: "Sold (Y/N)", "Sold price (USD)", "Date sold (MM/DD/YYYY)". */
const form =
  /[([](?:y\/n|yes\/no|usd|eur|gbp|cad|aud|[$€£]|[dmy]{1,4}(?:[/.-][dmy]{1,4}){1,2}|listed\/sold|level)[)\]]$/i

/** Returns what a column says about whether an item is for sale; null for a column that says nothing of it. */
export function roleOf(heading: string): Role | null {
  const [name, bare] = [heading, heading.trim().replace(form, '')].map(foldHeading)
  return roleNames.find(([, names]) => names.has(name!) || names.has(bare!))?.[0] ?? null
}

const words = (text: string) => new Set(foldedNames(text))
const forSale = words(`active,listed,available,live,for sale,on sale,in stock,published,publish,open,online,on hand,
  unsold,ready,ready to list,to list,instock,enabled,visible,limited availability,
  Aktiv,Verfügbar,Eingestellt,Gelistet,Lieferbar,Vorrätig,Auf Lager,Zum Verkauf,Im Verkauf,Veröffentlicht,
  Actif,Active,Disponible,En vente,En ligne,En stock,Publié,Publiée,À vendre,
  Attivo,Attiva,Disponibile,In vendita,Pubblicato,Pubblicata,
  Activo,Activa,En venta,Publicado,Publicada,En línea,A la venta`)
const sold = words(`sold,sold out,paid,shipped,delivered,Verkauft,Ausverkauft,Bezahlt,Versendet,Verschickt,
  Vendu,Vendue,Payé,Expédié,Venduto,Venduta,Pagato,Spedito,Vendido,Vendida,Pagado,Enviado`)
const gone =
  words(`out of stock,Nicht vorrätig,Nicht verfügbar,Épuisé,Rupture de stock,En rupture,Indisponible,Esaurito,
  Non disponibile,Agotado,Sin existencias,No disponible,outofstock`)
/** Statuses that mean an item of ours that is not for sale, and stays in the inventory. */
const kept = new Set(['reserved', 'withdrawn'])
const notForSale = words(`ended,expired,draft,inactive,archived,removed,deleted,cancelled,canceled,closed,completed,
  withdrawn,deactivated,disabled,hidden,private,pending,reserved,on hold,hold,unlisted,not listed,delisted,not for sale,
  returned,donated,lost,damaged,trash,trashed,incomplete,suspended,blocked,paused,unpublished,scheduled,on vacation,
  Beendet,Abgelaufen,Entwurf,Inaktiv,Archiviert,Entfernt,Gelöscht,Storniert,Reserviert,Nicht gelistet,Deaktiviert,
  Zurückgezogen,Pausiert,Terminé,Terminée,Expiré,Expirée,Brouillon,Inactif,Inactive,Archivé,Archivée,Retiré,Retirée,
  Supprimé,Supprimée,Annulé,Réservé,Désactivé,Scaduto,Terminato,Terminata,Bozza,Inattivo,Archiviato,Rimosso,Eliminato,
  Annullato,Riservato,Ritirato,Disattivato,Conclusa,Finalizado,Finalizada,Caducado,Borrador,Inactivo,Archivado,
  Eliminado,Retirado,Cancelado,Reservado,Desactivado`)
const back =
  words(`returned,refunded,cancelled,canceled,Storniert,Erstattet,Annulé,Remboursé,Annullato,Rimborsato,Cancelado,
  Reembolsado`)
const uncounted = words(
  `not tracked,untracked,not counted,unlimited,∞,Unbegrenzt,Unendlich,Illimité,Illimitato,Ilimitado`,
)
const yes = words('yes,y,true,x,1,ja,oui,si,sí,vrai,vero,verdadero,wahr')
const no = words(
  'no,n,false,0,nein,non,faux,falso,falsch,nee,não,nej,nie,aus,off,none,never,not sold,unsold,n/a,na,nil,null,nicht verkauft',
)

/** Returns whether a cell says no. */
export const isNo = (text: string): boolean => no.has(wordOf(text))

/** A cell of a column with a role. */
export interface RoleCell {
  role: Role
  /** Our column, as where a file has our own `state`. */
  column: string | null
  text: string
}

/**
 * Returns why the item of a row is not taken as one that is for sale; null if it is. An item is one of a kind. A quantity
 * says nothing where nobody counts.
 */
export function whyLeftOut(cells: readonly RoleCell[], now: number = Date.now()): LeftOut | null {
  const isCounted = !cells.some(({ role, text }) =>
    role === 'tracker' ? text === '' || isNo(text) : role === 'isCounted' && text !== '' && isNo(text),
  )
  const reasons = cells
    .filter(({ role, text }) => text !== '' && (isCounted || role !== 'quantity'))
    .map((cell) => reasonOf(cell, now))
    .filter((reason) => reason !== null)
  // An item that came back keeps the columns of its sale.
  const isBack = cells.some(({ role, text }) => role === 'status' && back.has(wordOf(text)))
  const sale = isBack ? undefined : reasons.find(({ isSold }) => isSold)
  return sale ?? reasons.find(({ isSold }) => !isSold) ?? null
}

/** Returns a cell in the form in which words are compared. A negative number stays one. */
const wordOf = (text: string) => (/^-\s*\d/.test(text) ? text : foldHeading(text))

function reasonOf({ role, column, text }: RoleCell, now: number): LeftOut | null {
  const field = column === 'state' ? 'state' : ''
  const left = (reason: string) => ({ reason, field, isSold: false })
  const isSold = { reason: 'is sold there', field, isSold: true }
  const value = wordOf(text)
  const says = `"${text.slice(0, 50)}"`
  if (role === 'status') {
    // Spanish and Italian sheets call the condition "Estado".
    if (column === 'condition')
      return sold.has(value)
        ? isSold
        : gone.has(value) || notForSale.has(value)
          ? left(`has the status ${says} there`)
          : null
    if (forSale.has(value) || yes.has(value) || (column === 'state' && kept.has(value))) return null
    if (sold.has(value)) return isSold
    if (gone.has(value)) return left('has none left')
    if (notForSale.has(value)) return left(`has the status ${says} there`)
    return left(`has the status ${says}, which Hapax does not know`)
  }
  const isTicked = /[✓✔✅☑🗹]/u.test(text)
  if (role === 'hidden') return isTicked || yes.has(value) ? left('is not for sale there') : null
  if ((role === 'soldDetail' || role === 'sold') && isTicked) return isSold
  // A dash stands for nothing.
  if (value === '' || role === 'tracker' || role === 'isCounted') return null
  if (role === 'soldDetail' || role === 'sold') return no.has(value) || /^0+$/.test(value) ? null : isSold
  if (role === 'end') {
    const isOver = readDates(text).map(({ until }) => until <= now)
    if (!isOver.includes(true)) return null
    return left(isOver.includes(false) ? `has the end ${says}, which can be read in two ways` : 'has ended there')
  }
  if (role === 'offered') {
    // WooCommerce writes -1 for a draft.
    if (no.has(value) || /^-\s*\d/.test(text)) return left('is not for sale there')
    return reasonOf({ role: /^\d/.test(value) ? 'quantity' : 'status', column, text }, now)
  }
  return reasonOfQuantity(text, left)
}

function reasonOfQuantity(text: string, left: (reason: string) => LeftOut): LeftOut | null {
  const value = wordOf(text)
  if (uncounted.has(value)) return null
  if (yes.has(value) || forSale.has(value)) return null
  if (no.has(value) || gone.has(value)) return left('has none left')
  const number =
    /^(-?\d+)(?:[.,]0{1,2})?\s*(?:x|pcs?|pieces?|units?|ea|stk|stück|st|pz|pièces?|uds?|unidad)?\.?$/i.exec(text.trim())
  const pieces = number ? Number(number[1]) : null
  if (pieces === null) return left(`has the quantity "${text.slice(0, 50)}", which Hapax does not understand`)
  if (pieces < 1) return left('has none left')
  return pieces > 1 ? left('offers more than one') : null
}
