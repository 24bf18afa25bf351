"""What the visibility check refuses and what it lets pass."""

import pytest

from trutdsl.diagnostics import Collector
from trutdsl.ir.flow.check import check_visibility
from trutdsl.ir.flow.statements import Sentences

# (name, rules, what is refused: code and line)
UNSOUND = [
    (
        "who is asked learns that those before left a secret question",
        """
        rule match:
            ask any one in seats "say" seen by owner:
                yes
        """,
        [("leak", 2), ("hidden", 2)],
    ),
    (
        "who is asked next learns what was said in secret before",
        """
        rule match:
            ask any one in seats "say" seen by owner:
                yes
                perhaps: next
        """,
        [("leak", 2), ("hidden", 2)],
    ),
    (
        "what lay in a place before it was emptied is not what lies there",
        """
        rule match:
            let lucky = good(dealer)
            move all from hand[dealer] to crib
            draw from stock to hand[dealer]
            move one_of(dealer, lucky) from hand[dealer] to row
        define one_of(p, any_but_first: yes_no) -> card:
            (first c in hand[p] where c != top(row)) if any_but_first else first c in hand[p]
        """,
        [("leak", 5)],
    ),
    (
        "a card that was picked and went may have decided which goes next",
        """
        rule match:
            let lucky = good(dealer)
            ask dealer "away" seen by owner:
                away card from hand[dealer]: move card to crib
            move (first c in hand[dealer] where strength(c) > 2 or lucky) from hand[dealer] to row
        """,
        [("leak", 5)],
    ),
    (
        "a rule may take away what was looked at before it was done",
        """
        rule match:
            let lucky = good(dealer)
            do away(next_seat(dealer))
            move (first c in hand[dealer] where strength(c) > 2 or lucky) from hand[dealer] to row
        rule away(p): gather hand into stock
        """,
        [("leak", 4)],
    ),
    (
        "what was returned was looked at before a rule took it away",
        """
        rule match:
            let lucky = do look(dealer)
            move (first c in hand[dealer] where strength(c) > 2 or lucky) from hand[dealer] to row
        rule look(p) -> yes_no:
            let lucky = good(p)
            move all from hand[p] to crib
            return lucky
        """,
        [("leak", 3)],
    ),
    (
        "a card that was drawn from a place may have decided which goes next",
        """
        rule match:
            let lucky = any c in stock has strength(c) > 4
            draw from stock to hand[dealer]
            move (first c in stock where strength(c) > 2 or lucky) from stock to row
        """,
        [("leak", 4)],
    ),
    (
        "a turn of a loop goes on with what was looked at before the turns",
        """
        rule match:
            for card in hand[dealer]:
                if size(hand[dealer]) > 2: move card from hand[dealer] to row
                ask dealer "away" seen by owner:
                    away other from hand[dealer]: move other to crib
        """,
        [("leak", 3)],
    ),
    (
        "a swap that a secret decides shows once its cards are seen",
        """
        rule match:
            for p in seats where good(p):
                swap (first c in hand[p]) from hand[p] with (first c in kept[p]) from kept[p]
            for p in seats where good(p):
                swap (first c in hand[p]) from hand[p] with (first c in crib) from crib
        """,
        [("leak", 3), ("leak", 5)],
    ),
    (
        "a card that another place decides about shows once it is seen",
        """
        rule match:
            let best = first c in kept[dealer]
            move (first c in hand[dealer] where c != best) from hand[dealer] to crib
        """,
        [("leak", 3)],
    ),
    (
        "a partner's place is another place",
        """
        rule match:
            let p = dealer
            let q = partner(dealer)
            move (first c in pool[p] where good_in(q)) from pool[p] to crib
        define good_in(p): any c in pool[p] has strength(c) > 4
        """,
        [("leak", 4)],
    ),
    (
        "a local set in an option keeps its secret",
        """
        rule match:
            let x = 0
            ask dealer "look" seen by owner:
                high from 1 to 3: x = high
            known = x
        """,
        [("leak", 5)],
    ),
    (
        "a local set in an option of several tells which was chosen",
        """
        rule match:
            let x = 0
            ask dealer "look" seen by owner:
                high: x = 1
                low
            known = x
        """,
        [("leak", 6)],
    ),
    (
        "a local set in a branch has the key of neither",
        """
        rule match:
            let p = dealer
            if known > 3: p = next_seat(dealer)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 5)],
    ),
    (
        "a local set in a secret branch keeps the secret",
        """
        rule match:
            let x = 0
            if good(dealer): x = 1
            known = x
        """,
        [("leak", 4)],
    ),
    (
        "a local set in a loop keeps its secret",
        """
        rule match:
            let x = 0
            for card in hand[dealer]: x += strength(card)
            known = x
        """,
        [("leak", 4)],
    ),
    (
        "what a turn of a loop reads was written by the turn before",
        """
        rule match:
            let x = 0
            let y = 0
            repeat 3 times:
                known = y
                y = x
                x = size(those c in hand[dealer] where strength(c) > 2)
        """,
        [("leak", 5)],
    ),
    (
        "the condition of a repetition is looked at after each turn",
        """
        rule match:
            let x = 0
            repeat at most 3 times while x < 1:
                points[team(dealer)] += 1
                x = size(those c in hand[dealer] where strength(c) > 2)
        """,
        [("leak", 4)],
    ),
    (
        "an element kept from an earlier turn is another seat",
        """
        rule match:
            let last = dealer
            for p in seats:
                ask p "turn":
                    play card from hand[last]
                last = p
        """,
        [("hidden", 5)],
    ),
    (
        "a secret kept from an earlier turn is that of another seat",
        """
        rule match:
            let x = 0
            for p in seats:
                ask p "turn":
                    pass
                    bet when x > 1
                x = size(those c in hand[p] where strength(c) > 2)
        """,
        [("hidden", 6)],
    ),
    (
        "a variable that is set is another seat",
        """
        rule match:
            let p = dealer
            dealer = next_seat(dealer)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 5)],
    ),
    (
        "a local that is set is another seat",
        """
        rule match:
            let p = dealer
            p = next_seat(p)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 5)],
    ),
    (
        "a variable set by a rule is another seat",
        """
        rule match:
            let p = dealer
            do pass_on
            ask dealer "turn":
                play card from hand[p]
        rule pass_on:
            dealer = next_seat(dealer)
        """,
        [("hidden", 5)],
    ),
    (
        "a variable set before the rule is left is another seat",
        """
        rule match:
            let p = dealer
            do pass_on
            ask dealer "turn":
                play card from hand[p]
        rule pass_on:
            if known > 1:
                dealer = next_seat(dealer)
                return
            known = 2
        """,
        [("hidden", 5)],
    ),
    (
        "a variable set before the loop is left is another seat",
        """
        rule match:
            let p = dealer
            repeat 3 times:
                if known > 1:
                    dealer = next_seat(dealer)
                    stop
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 8)],
    ),
    (
        "a variable set in a trick by a rule that ends it is another seat",
        """
        rule match:
            deal:
                let p = dealer
                trick on table:
                    do finish
                ask dealer "turn":
                    play card from hand[p]
                end deal because over
        rule finish:
            dealer = next_seat(dealer)
            end trick tied
        """,
        [("hidden", 7)],
    ),
    (
        "a local set in a trick that ends is another seat",
        """
        rule match:
            deal:
                let p = dealer
                trick on table:
                    p = next_seat(p)
                    end trick tied
                ask dealer "turn":
                    play card from hand[p]
                end deal because over
        """,
        [("hidden", 8)],
    ),
    (
        "a variable of the deal starts anew",
        """
        deal state:
            turn: seat = dealer
        rule match:
            let p = turn
            deal:
                ask turn "turn":
                    play card from hand[p]
                end deal because over
        """,
        [("hidden", 7)],
    ),
    (
        "what a setup settles may be given",
        """
        rule match:
            on_lead = dealer
            setup dealer:
                dealer = on_lead
            ask dealer "turn":
                play card from hand[on_lead]
        """,
        [("hidden", 6)],
    ),
    (
        "a name of a function that is set is another seat",
        """
        define other(p):
            let q = p
            q = next_seat(q)
            return any c in hand[q] has strength(c) > 2
        rule match:
            ask dealer "turn":
                pass
                bet when other(dealer)
        """,
        [("hidden", 8)],
    ),
    (
        "a question asked again may be asked of another seat's cards",
        """
        rule match:
            let p = dealer
            ask dealer "turn":
                play card from hand[p]:
                    p = next_seat(p)
                    again
        """,
        [("hidden", 4)],
    ),
    (
        "a card drawn because of a secret is counted by all",
        """
        rule match:
            if good(dealer): draw from stock to hand[dealer]
        """,
        [("leak", 2)],
    ),
    (
        "cards moved between hidden places because of a secret are counted by all",
        """
        rule match:
            for card in hand[dealer] where strength(card) > 2:
                move card from hand[dealer] to kept[dealer]
        """,
        [("leak", 3)],
    ),
    (
        "a move by one of two secret options is counted by all",
        """
        rule match:
            ask dealer "keep" seen by owner:
                keep card from hand[dealer]: move card to kept[dealer]
                pass
        """,
        [("leak", 3)],
    ),
    (
        "where a card goes is counted by all",
        """
        rule match:
            ask dealer "give" seen by owner:
                give to_whom from seats: draw from stock to hand[to_whom]
        """,
        [("leak", 3)],
    ),
    (
        "the team notices a question that its member's secret decides",
        """
        rule match:
            if good(dealer):
                ask dealer "plan" seen by team:
                    pass
        """,
        [("leak", 3)],
    ),
    (
        "gathered hands are shown to all",
        """
        rule match:
            gather hand into row
        """,
        [("leak", 2)],
    ),
    (
        "gathered hands are shown to one",
        """
        rule match:
            gather hand into kept[dealer]
        """,
        [("leak", 2)],
    ),
    (
        "a hand moved is shown to another seat",
        """
        rule match:
            move all from hand[dealer] to hand[next_seat(dealer)]
        """,
        [("leak", 2)],
    ),
    (
        "a hand moved is shown to the team",
        """
        rule match:
            move all from hand[dealer] to shared[team(dealer)]
        """,
        [("leak", 2)],
    ),
    (
        "what nobody may see stays unseen",
        """
        rule match:
            lost = size(those c in hand[dealer] where strength(c) > 2)
            if lost > 1: known = 1
            ask dealer "turn":
                pass
                bet when lost > 1
        """,
        [("leak", 3), ("hidden", 6)],
    ),
    (
        "who is shown something notices it",
        """
        rule match:
            if good(dealer): reveal hand[dealer] to next_seat(dealer)
        """,
        [("leak", 2)],
    ),
    (
        "what was revealed on one way only is not known",
        """
        rule match:
            if known > 1: reveal hand[dealer] to on_lead
            ask on_lead "turn":
                play card from hand[dealer]
        """,
        [("hidden", 4)],
    ),
    (
        "what was looked at before it was revealed is not known",
        """
        rule match:
            let x = size(those c in hand[dealer] where strength(c) > 2)
            move all from hand[dealer] to crib
            reveal hand[dealer] to on_lead
            ask on_lead "turn":
                pass
                bet when x > 1
        """,
        [("hidden", 7)],
    ),
    (
        "what was revealed is known until the deal ends",
        """
        rule match:
            deal:
                reveal hand[dealer] to on_lead
                end deal because over
            ask on_lead "turn":
                play card from hand[dealer]
        """,
        [("hidden", 6)],
    ),
    (
        "leaving a loop early tells why, until it ends",
        """
        rule match:
            for p in seats:
                if good(p): stop
                known += 1
            known = 0
        """,
        [("leak", 4)],
    ),
    (
        "leaving a loop early tells why in its next turn",
        """
        rule match:
            for p in seats:
                known += 1
                if good(p): stop
        """,
        [("leak", 3)],
    ),
    (
        "going on with the next turn tells why in this turn",
        """
        rule match:
            for p in seats:
                if good(p): next
                known += 1
        """,
        [("leak", 4)],
    ),
    (
        "leaving a rule early tells why, until it ends",
        """
        rule match:
            do part
            known = 0
        rule part:
            if good(dealer): return
            known = 1
        """,
        [("leak", 6)],
    ),
    (
        "a rule left early in a loop is not left in its next turn",
        """
        rule match:
            repeat 3 times:
                known += 1
                if good(dealer): return
        """,
        [("leak", 3)],
    ),
    (
        "what a rule returns tells which way it went",
        """
        rule match:
            known = do part
        rule part -> number:
            if good(dealer): return 1
            return 2
        """,
        [("leak", 2)],
    ),
    (
        "asking again tells why",
        """
        rule match:
            ask dealer "turn":
                pass:
                    if good(dealer): again
        """,
        [("leak", 2)],
    ),
    (
        "the first seat with a card is not the only one looked at",
        """
        rule match:
            let p = first q in seats where good(q)
            if p != none:
                ask p "turn" seen by owner:
                    pass
        """,
        [("leak", 4)],
    ),
    (
        "which card is shown may tell of another hand",
        """
        rule match:
            let best = highest strength(c) for c in hand[on_lead]
            move (first c in hand[dealer] where strength(c) < best) from hand[dealer] to row
        """,
        [("leak", 3)],
    ),
    (
        "which open card is taken is seen by all",
        """
        rule match:
            ask dealer "take" seen by owner:
                take card from row: move card to hand[dealer]
        """,
        [("leak", 3)],
    ),
    (
        "a card picked by a secret choice tells of it",
        """
        rule match:
            ask dealer "level" seen by owner:
                level n from 1 to 3:
                    move (first c in table[dealer] where strength(c) == n) from table[dealer] to row
        """,
        [("leak", 4)],
    ),
    (
        "a variable of one's own holds nobody else's secret",
        """
        rule match:
            hint[dealer] = size(those c in hand[on_lead] where strength(c) > 2)
            mates[dealer] = size(those c in hand[dealer] where strength(c) > 2)
        """,
        [("leak", 2), ("leak", 3)],
    ),
    (
        "an open action is known by itself, not with what others hide",
        """
        rule match:
            if good(on_lead):
                ask dealer "sing" seen by owner:
                    sing openly: known = 1
                    pass
        """,
        [("leak", 3), ("leak", 4)],
    ),
    (
        "what is done after an open action may rest on what led to the question",
        """
        rule match:
            if good(dealer):
                ask dealer "sing" seen by owner:
                    sing openly
                    pass
                known = 1
        """,
        [("leak", 6)],
    ),
    (
        "a swap with an open card is seen",
        """
        rule match:
            if good(dealer):
                swap (first c in hand[dealer]) from hand[dealer] with top(row) from row
        """,
        [("leak", 3)],
    ),
    (
        "a deal that begins is seen",
        """
        rule match:
            if good(dealer):
                deal:
                    end deal because over
        """,
        [("leak", 3), ("leak", 4)],
    ),
    (
        "a local set in the other branch keeps its secret",
        """
        rule match:
            let x = 0
            if known > 1: known = 2
            else: x = lost
            known = x
        """,
        [("leak", 5)],
    ),
    (
        "a local set in the other branch has the key of neither",
        """
        rule match:
            let p = dealer
            if known > 3: known = 1
            else: p = next_seat(p)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 6)],
    ),
    (
        "a variable set in a loop is another seat in its next turn",
        """
        rule match:
            let p = dealer
            repeat 3 times:
                ask dealer "turn":
                    play card from hand[p]
                dealer = next_seat(dealer)
        """,
        [("hidden", 5)],
    ),
    (
        "what was revealed is hidden again in the next turn with its deal",
        """
        rule match:
            reveal hand[dealer] to on_lead
            repeat 3 times:
                ask on_lead "turn":
                    play card from hand[dealer]
                deal:
                    end deal because over
        """,
        [("hidden", 5)],
    ),
    (
        "what was revealed before a deal is hidden in it",
        """
        rule match:
            reveal hand[dealer] to on_lead
            deal:
                ask on_lead "turn":
                    play card from hand[dealer]
                end deal because over
        """,
        [("hidden", 5)],
    ),
    (
        "another's hand was not revealed",
        """
        rule match:
            reveal hand[dealer] to on_lead
            ask on_lead "turn":
                play card from hand[next_seat(dealer)]
        """,
        [("hidden", 4)],
    ),
    (
        "whose hand is revealed may tell of a secret",
        """
        rule match:
            let p = dealer if good(dealer) else next_seat(dealer)
            reveal hand[p] to on_lead
        """,
        [("leak", 3)],
    ),
    (
        "which seats a loop goes through may tell of a secret",
        """
        rule match:
            for p in seats where good(p): known += 1
        """,
        [("leak", 2)],
    ),
    (
        "which card of a hidden place is shown may tell of a hand",
        """
        rule match:
            let best = highest strength(c) for c in hand[dealer]
            move (first c in crib where strength(c) < best) from crib to row
        """,
        [("leak", 3)],
    ),
    (
        "an open pile that is shuffled is seen",
        """
        rule match:
            if good(dealer): shuffle heap
        """,
        [("leak", 2)],
    ),
    (
        "in which order open cards are gathered is seen",
        """
        rule match:
            let p = dealer if good(dealer) else on_lead
            gather table from p into heap
        """,
        [("leak", 3)],
    ),
    (
        "one of two seats is neither",
        """
        rule match:
            let p = dealer if known > 1 else on_lead
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 4)],
    ),
    (
        "a rule may return one of two seats",
        """
        rule match:
            let p = do who
            ask dealer "turn":
                play card from hand[p]
        rule who -> seat:
            if known > 1: return dealer
            return on_lead
        """,
        [("hidden", 4)],
    ),
    (
        "a rule is looked at again with a secret argument",
        """
        rule match:
            do part(0)
            do part(lost)
        rule part(n: number):
            known = n
        """,
        [("leak", 5)],
    ),
    (
        "a rule is looked at again under a secret condition",
        """
        rule match:
            do part
            if good(dealer): do part
        rule part:
            known = 1
        """,
        [("leak", 5)],
    ),
    (
        "a rule is looked at again for another seat",
        """
        rule match:
            do part(dealer)
            do part(on_lead)
        rule part(p):
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 6)],
    ),
    (
        "a rule is looked at again where less is revealed",
        """
        rule match:
            if known > 1:
                reveal hand[dealer] to on_lead
                do part
            do part
        rule part:
            ask on_lead "turn":
                play card from hand[dealer]
        """,
        [("hidden", 8)],
    ),
    (
        "an open action does not make known what comes after it",
        """
        rule match:
            if good(dealer): return
            ask on_lead "sing" seen by owner:
                sing openly
            known = 1
        """,
        [("leak", 3), ("leak", 5)],
    ),
    (
        "what led to an open action is secret again after it",
        """
        rule match:
            if good(dealer): return
            ask dealer "sing" seen by owner:
                sing openly: known = 2
            known = 1
        """,
        [("leak", 5)],
    ),
    (
        "how much may be chosen is seen by the asked seat",
        """
        rule match:
            ask dealer "bid":
                bid n from 1 to lost
        """,
        [("hidden", 3)],
    ),
]

ALLOWED = [
    (
        "cards may come to a place and be picked from it by what was looked at there",
        """
        rule match:
            let low = lowest strength(c) for c in hand[dealer]
            draw from stock to hand[dealer] as drawn
            for c in hand[dealer]:
                if size(hand[dealer]) > 2: do away(dealer, c)
            do away(dealer, first c in hand[dealer] where strength(c) == low)
            move drawn from hand[dealer] to row
        rule away(p, c: card): move c from hand[p] to crib
        """,
    ),
    (
        "a deal leaves the dealer the same",
        """
        rule match:
            let p = dealer
            deal:
                trick on table:
                    end trick tied
                end deal because over
            ask dealer "turn":
                play card from hand[p]
        """,
    ),
    (
        "leaving a loop early tells nothing after it",
        """
        rule match:
            for p in seats:
                if good(p): stop
            known = 0
        """,
    ),
    (
        "going on with the next turn tells nothing in that turn",
        """
        rule match:
            for p in seats:
                known = 1
                if good(p): next
        """,
    ),
    (
        "asking again tells nothing after the question",
        """
        rule match:
            ask dealer "turn" seen by owner:
                look:
                    if good(dealer): again
                pass
            known = 1
        """,
    ),
    (
        "leaving a rule early tells nothing after it",
        """
        rule match:
            do part
            known = 0
        rule part:
            if good(dealer): return
        """,
    ),
    (
        "cards kept in secret, one at a time",
        """
        rule match:
            for p in seats from next_seat(dealer) where size(hand[p]) > 3:
                repeat 3 times:
                    ask p "keep" seen by owner:
                        keep card from hand[p]: move card to kept[p]
                move all from hand[p] to stock
                move all from kept[p] to hand[p]
        """,
    ),
    (
        "cards kept in secret from a draft",
        """
        rule match:
            for p in seats:
                ask p "draft" seen by owner:
                    keep card from hand[p] when strength(card) > 1: move card to crib
            gather hand into stock
        """,
    ),
    (
        "a card chosen in secret is shown where it goes",
        """
        rule match:
            ask dealer "show" seen by owner:
                show card from hand[dealer]: move card to table[dealer]
        """,
    ),
    (
        "a team's secret is written where the team sees it",
        """
        rule match:
            for p in seats:
                ask p "plan" seen by team:
                    low: plan[team(p)] = 1
                    high: mates[p] = 2
                    other n from 3 to 5:
                        for q in partners(p): mates[q] = n
        """,
    ),
    (
        "seats of a team see what it sees",
        """
        rule match:
            for p in seats:
                for q in seats_of(team(p)) where q != p:
                    ask q "turn":
                        pass
                        play when plan[team(p)] > 1
                        call when mates[p] > 1
                for q in partners(p):
                    ask q "turn":
                        pass
                        play when plan[team(p)] > 1
                for q in seats where team(q) == team(p) and q != p:
                    ask q "turn":
                        pass
                        play when plan[team(p)] > 1
        """,
    ),
    (
        "seats counted from the same seat are the same",
        """
        rule match:
            let p = next_seat(dealer)
            ask next_seat(dealer) "turn":
                play card from hand[p]
            ask dealer "turn":
                play card from hand[previous_seat(p)]
            on_lead = p
            ask on_lead "turn":
                play card from hand[p]
            for q in seats where q == dealer:
                ask q "turn":
                    play card from hand[dealer]
        """,
    ),
    (
        "a signal that leaks by chance",
        """
        rule match:
            for p in seats from on_lead:
                ask p "signal" seen by team:
                    silence: mates[p] = 0
                    three: mates[p] = 3
                    two: mates[p] = 2
                for other in seats where team(other) != team(p):
                    let caught = chance 1 out of 4
                    if caught: reveal mates[p] to other
        """,
    ),
    (
        "a holder who sees the hands of partners",
        """
        rule match:
            for p in seats where good(p):
                for q in seats_of(team(p)) where q != p:
                    reveal hand[q] to p
            for p in seats where good(p):
                reveal hand[partner(p)] to p
                ask p "turn" seen by owner:
                    pass
                    call when good(partner(p))
        """,
    ),
    (
        "what is revealed to all, to a team, to one",
        """
        rule match:
            reveal hand[dealer] to seats
            if good(dealer): known = 1
            reveal hand[on_lead] to seats_of(team(dealer))
            ask dealer "turn":
                pass
                call when good(on_lead)
            do show(on_lead, dealer)
            ask dealer "turn":
                pass
                call when hint[on_lead] > 1
        rule show(p, q):
            reveal hint[p] to {q}
        """,
    ),
    (
        "an action that makes known what led to it",
        """
        rule match:
            for p in seats where good(p):
                ask p "sing" seen by owner:
                    sing suit from suits when any c in hand[p] has suit(c) == suit openly:
                        points[team(p)] += 20
                        known = 1
                        again
                    tute when size(those c in hand[p] where strength(c) > 6) > 3 openly:
                        end match won by team(p)
                    pass
        """,
    ),
    (
        "singing before a draw while there is something to sing",
        """
        define can_sing(p, s: suit): any c in hand[p] has suit(c) == s
        rule match:
            for p in seats:
                repeat at most 4 times while any s in suits has can_sing(p, s):
                    ask p "sing" seen by owner:
                        sing s from suits when can_sing(p, s) openly: points[team(p)] += 20
                        pass: stop
                draw from stock to hand[p]
        """,
    ),
    (
        "an exchange that is seen",
        """
        rule match:
            for p in seats where "7c" in hand[p]:
                ask p "exchange" seen by owner:
                    exchange openly: swap "7c" from hand[p] with top(row) from row
                    pass
        """,
    ),
    (
        "hands that are shown on purpose, or that nobody sees",
        """
        rule match:
            gather hand from dealer into row openly
            move all from hand[dealer] to table[dealer] openly
            gather hand, kept, table, row into stock
            move all from shared[team(dealer)] to hand[dealer]
            move all from hand[dealer] to kept[dealer]
            draw from stock to crib face up as card
            if strength(card) > 2: known = 1
        """,
    ),
    (
        "a random card of another hand for one of one's own",
        """
        rule match:
            ask dealer "target":
                target q from seats - dealer:
                    if not empty(hand[q]) and not empty(hand[dealer]):
                        let taken = random from hand[q]
                        move taken from hand[q] to hand[dealer]
                        ask dealer "give" seen by owner:
                            give card from hand[dealer]: move card to hand[q]
        """,
    ),
    (
        "how many cards lie somewhere is no secret",
        """
        rule match:
            for card in hand[dealer]: known += 1
            repeat at most 9 times while size(hand[dealer]) > 3:
                move (first c in hand[dealer]) from hand[dealer] to crib
        """,
    ),
    (
        "a song that all agree to",
        """
        rule match:
            let first_seat = next_seat(dealer)
            let singing = yes
            repeat at most 10 times while singing and size(stock) >= players:
                ask first_seat "sing":
                    sing
                    decline: stop
                for p in seats after first_seat:
                    ask p "join":
                        agree
                        refuse:
                            singing = no
                            stop
                if not singing: stop
                ask first_seat "cards":
                    cards n from 1 to min(3, size(stock) div players):
                        repeat n times:
                            for p in seats from first_seat: draw from stock to hand[p]
        """,
    ),
]


def codes(found):
    return [(code, line) for code, line, _, _ in found]


@pytest.mark.parametrize(
    ("rules", "expected"), [row[1:] for row in UNSOUND], ids=[row[0] for row in UNSOUND]
)
def test_is_refused(refused, rules, expected):
    assert codes(refused(rules)) == expected


@pytest.mark.parametrize("rules", [row[1] for row in ALLOWED], ids=[row[0] for row in ALLOWED])
def test_is_allowed(refused, rules):
    assert refused(rules) == []


def test_a_leak_in_a_rule_says_where_its_control_began(refused):
    found = refused("""
        rule match:
            if known > 1:
                if good(dealer):
                    do part
        rule part:
            do score
        rule score:
            points[team(dealer)] += 1
    """)
    assert [(code, line, notes) for code, line, _, notes in found] == [("leak", 8, [3])]


def test_all_secrets_of_one_mistake_are_told_at_once(refused):
    found = refused("""
        rule match:
            let x = 0
            repeat 3 times:
                known = x
                x = strength(top(crib)) + lost if good(dealer) else 0
    """)
    assert [(code, line) for code, line, _, _ in found] == [("leak", 4)]
    assert "'crib', 'hand' and 'lost'" in found[0][2]


def test_rules_are_not_looked_at_again_for_every_way_that_leads_to_them(build):
    """Each of 40 rules does the next one twice, with the dealer moved on in between."""
    rules = "rule match:\n    do r0(dealer)\n" + "".join(
        f"rule r{i}(p):\n    do r{i + 1}(next_seat(p))\n    dealer = p\n    do r{i + 1}(dealer)\n"
        for i in range(40)
    )
    program = build(rules + 'rule r40(p):\n    ask p "turn":\n        play c from hand[p]\n')
    assert check_visibility(program, Collector()) < 40 * 80


def test_rules_met_in_very_many_situations_are_looked_at_in_one_for_all(refused, build):
    rules = "rule match:\n    let p0 = dealer\n" + "".join(
        f"    let p{i + 1} = next_seat(p{i})\n    do part(p{i}, dealer)\n" for i in range(100)
    )
    part = 'rule part(p, q):\n    ask p "turn":\n        play c from hand[{}]\n'
    program = build(rules + part.format("p"))
    assert check_visibility(program, Collector()) < 80
    assert codes(refused(rules + part.format("q"))) == [("hidden", 205)]


@pytest.mark.parametrize(("loops", "expected"), [(6, []), (18, [("too-deep", 15)])])
def test_loops_in_each_other(refused, monkeypatch, loops, expected):
    rules, pad = "rule match:\n    let x0 = 0\n", "    "
    for i in range(loops):
        rules += f"{pad}for p{i} in seats:\n{pad}    let x{i + 1} = 0\n"
        pad += "    "
    for i in range(loops):
        of = f"those c in hand[p{i}] where strength(c) > 1"
        rules += f"{pad}x{i + 1} += x{i}\n{pad}x0 += size({of})\n"
    followed, follow = [], Sentences.follow
    monkeypatch.setattr(Sentences, "follow", lambda *args: followed.append(1) or follow(*args))
    assert codes(refused(rules)) == expected
    assert len(followed) < 60_000
