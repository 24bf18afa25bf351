"""What is said of a tournament, in French."""

RESULTS = {
    "rank": "rang",
    "strategy": "stratégie",
    "95 % interval": "intervalle à 95 %",
    "won": "gagnées",
    "drawn": "nulles",
    "lost": "perdues",
    "forfeited": "forfaits",
    "score without forfeits": "score sans forfaits",
    "correlation": "corrélation",
    "none": "aucun",
    "match": "partie",
    "matches": "parties",
    "set": "série",
    "sets": "séries",
    "deal": "donne",
    "deals": "donnes",
    "of 100 matches": "sur 100 parties",
    "points ({what})": "points ({what})",
    " per 100 matches": " pour 100 parties",
    " per 100 deals": " pour 100 donnes",
    "{variant}, {players} players": "{variant}, {players} joueurs",
    "scores head to head": "scores, deux à deux",
    "pairs, on the same deals": "paires, sur les mêmes donnes",
    "{one} against {other}": "{one} contre {other}",
    "{low} to {high}": "{low} à {high}",
    "{best} comes first; it did not meet {second}, so that they are not compared": (
        "{best} est en tête ; elle n'a pas rencontré {second}, et rien ne les compare"
    ),
    "{mean} {what} more, {low} to {high}": "{mean} {what} de plus, de {low} à {high}",
    "{best} is better than {second} in their meetings: {amount}": (
        "{best} est meilleure que {second} dans leurs rencontres : {amount}"
    ),
    "{best} and {second} are not separated in their meetings: {amount}": (
        "{best} et {second} ne sont pas départagées dans leurs rencontres : {amount}"
    ),
    "{best} is better than {second} against the whole field: {amount}": (
        "{best} est meilleure que {second} contre toutes les autres : {amount}"
    ),
    "{best} and {second} are not separated against the whole field: {amount}": (
        "{best} et {second} ne sont pas départagées contre toutes les autres : {amount}"
    ),
    "{best} is better than {second}: {amount}": "{best} est meilleure que {second} : {amount}",
    "{best} and {second} are not separated: {amount}": (
        "{best} et {second} ne sont pas départagées : {amount}"
    ),
    "{first} is better than {second}": "{first} est meilleure que {second}",
    "{first} is not better than {second} by {margin}": (
        "{first} n'est pas meilleure que {second} de {margin}"
    ),
    "{first} less {second}, allowing for when the test ends: {amount} {what}": (
        "{first} moins {second}, compte tenu du moment où le test s'arrête : {amount} {what}"
    ),
    "; normalized Elo {elo}": " ; Elo normalisé {elo}",
    "it is not decided whether {first} is better than {second}": (
        "il n'est pas décidé si {first} est meilleure que {second}"
    ),
    "{said} (sequential test, ratio {ratio}, bounds {low} and {high})": (
        "{said} (test séquentiel, rapport {ratio}, bornes {low} et {high})"
    ),
    "in their own matches {said} (sequential test, ratio {ratio}, bounds {low} and {high})": (
        "dans leurs propres parties, {said} (test séquentiel, rapport {ratio}, bornes {low} "
        "et {high})"
    ),
    "one set only: no interval and no separation can be given": (
        "une seule série : ni intervalle ni départage ne sont possibles"
    ),
    "not separated: any two of them": "non départagées : toutes, deux à deux",
    "{name} from {others}": "{name} de {others}",
    "not separated: {pairs}": "non départagées : {pairs}",
    "with every partner: {ranked}": "avec chaque partenaire : {ranked}",
    "Elo: {rated}": "Elo : {rated}",
    "seat 0's team has by its seats {elo} Elo": (
        "l'équipe de la place 0 tient de ses places {elo} Elo"
    ),
    "no mixture beats this one (Nash average): {told}": (
        "aucun mélange ne bat celui-ci (moyenne de Nash) : {told}"
    ),
    "no ranking tells this: {steps}; each of them is certain": (
        "ce qu'aucun classement ne dit : {steps} ; chacun de ces résultats est certain"
    ),
    "and {cycles} like it, in results.json": "et {cycles} de ce genre, dans results.json",
    "{one} beats {other}": "{one} bat {other}",
    "{one} has more than {other}": "{one} a plus que {other}",
    "cycle": "cycle",
    "cycles": "cycles",
    "what the scores do not tell: {share} of the pairs' differences": (
        "ce que les scores ne disent pas : {share} des différences entre paires"
    ),
    "{matches} ({sets} of deals, each with the {seatings} seatings of every combination), "
    "{deals}": (
        "{matches} ({sets} de donnes, chacune avec les {seatings} placements de chaque "
        "combinaison), {deals}"
    ),
    "{matches} ({sets} of deals in {rounds} rounds, each with the {seatings} seatings of every "
    "meeting), {deals}": (
        "{matches} ({sets} de donnes en {rounds} rondes, chacune avec les {seatings} placements "
        "de chaque rencontre), {deals}"
    ),
    "{matches} ({sets} of deals, each with the {seatings} seatings of every combination)": (
        "{matches} ({sets} de donnes, chacune avec les {seatings} placements de chaque combinaison)"
    ),
    "{matches} ({sets} of deals in {rounds} rounds, each with the {seatings} seatings of every "
    "meeting)": (
        "{matches} ({sets} de donnes en {rounds} rondes, chacune avec les {seatings} placements "
        "de chaque rencontre)"
    ),
    "this is shard {shard} of {sets} sets: {done} of its {own} are played; trutdsl merge puts all "
    "shards together": (
        "ceci est la part {shard} de {sets} séries : {done} de ses {own} sont jouées ; trutdsl "
        "merge réunit toutes les parts"
    ),
    "seed {seed}, variant {variant}": "graine {seed}, variante {variant}",
    "files: {folder}": "fichiers : {folder}",
    "deals a match {length}, score of seat 0's team {score}": (
        "donnes par partie {length}, score de l'équipe de la place 0 {score}"
    ),
    "deals a match {length}, score of seat 0's team {score}, {fair} if seats are alike": (
        "donnes par partie {length}, score de l'équipe de la place 0 {score}, {fair} si les places "
        "se valent"
    ),
    "over sets of deals; the interval of a score stands by itself, those of differences and of "
    "pairs hold all together: what is separated lies beside 0": (
        "sur les séries de donnes ; l'intervalle d'un score vaut pour lui-même, ceux des écarts et "
        "des paires tiennent tous ensemble : ce qui est départagé est à côté de 0"
    ),
    "points: 1 a round won or sat out, 1/2 an even one; who is near in points has met stronger or "
    "weaker ones, which elo allows for; rank is what the meetings make certain": (
        "points : 1 par ronde gagnée ou exempte, 1/2 si elle est égale ; à points voisins, les "
        "adversaires étaient plus ou moins forts, ce dont l'elo tient compte ; le rang est ce que "
        "les rencontres rendent certain"
    ),
    "points: rounds survived; the first one beat those it met, and nothing is said of any two "
    "that did not meet: the second best may be out in round one": (
        "points : rondes passées ; la première a battu celles qu'elle a rencontrées, et rien n'est "
        "dit de celles qui ne se sont pas rencontrées : la deuxième peut être sortie d'entrée"
    ),
    "points: the rung; neighbours were compared, again and again as they changed places; rank is "
    "what the meetings make certain": (
        "points : l'échelon ; les voisines ont été comparées, encore et encore à mesure qu'elles "
        "changeaient de place ; le rang est ce que les rencontres rendent certain"
    ),
    "{strategy} forfeited {many}: it {kind}, first in match {match} on seat {seat}; again with": (
        "{strategy} a déclaré forfait dans {many} : {kind}, d'abord dans la partie {match} à la "
        "place {seat} ; à revoir avec"
    ),
    "drawn, as nobody had won after {deals} deals: {matches}": (
        "nulles, car personne n'avait gagné après {deals} donnes : {matches}"
    ),
    "and {more} more kinds of faults, see results.json": (
        "et {more} autres sortes de fautes, voir results.json"
    ),
    "raised {name}": "elle a levé {name}",
    "took too long": "elle a pris trop de temps",
    "chose no legal action": "elle n'a pas choisi d'action permise",
    "does not choose the same again": "elle ne choisit pas deux fois la même action",
    "ended its process": "elle a mis fin à son processus",
    "failed": "elle a échoué",
    "{days} days": "{days} jours",
    "seating": "placement",
    "seatings": "placements",
    "meeting": "rencontre",
    "meetings": "rencontres",
    "combination": "combinaison",
    "combinations": "combinaisons",
    "worker": "processus",
    "workers": "processus",
    "set is": "série est",
    "sets are": "séries sont",
    "{sets} there already": "{sets} déjà là",
    "{meetings} in {seatings}": "{meetings} en {seatings}",
    "{combinations} of strategies in {seatings}": "{combinations} de stratégies en {seatings}",
    "{sets} of deals x {each} = {matches}": "{sets} de donnes x {each} = {matches}",
    "sets of deals up to {deals} deals, each played by {each}": (
        "séries de donnes jusqu'à {deals} donnes, chacune jouée par {each}"
    ),
    "sets of deals for {time}, each played by {each}": (
        "séries de donnes pendant {time}, chacune jouée par {each}"
    ),
    "sets of deals, each played by {each}": "séries de donnes, chacune jouée par {each}",
    "until it is decided whether {name} is better": (
        "jusqu'à ce qu'il soit décidé si {name} est meilleure"
    ),
    "until every difference is known to +-{precision}": (
        "jusqu'à ce que chaque différence soit connue à +-{precision} près"
    ),
    "round {round} of {rounds}": "ronde {round} sur {rounds}",
    "{done} sets": "{done} séries",
    "{done} of {all} sets": "{done} séries sur {all}",
    "{done} deals": "{done} donnes",
    "{rate} deals/s": "{rate} donnes/s",
    "about {time} left": "encore {time} environ",
    "forfeited: {names}": "forfaits : {names}",
    "this takes about {time}": "cela prend environ {time}",
    "score so far": "score jusqu'ici",
    "95 %, at any time": "95 %, à tout moment",
    "stopped": "arrêté",
    "stopped; what is finished is kept in {folder}": (
        "arrêté ; ce qui est fini est gardé dans {folder}"
    ),
    "stopped: {done} sets are done and kept in {folder}; {command} goes on from there": (
        "arrêté : {done} séries sont jouées et gardées dans {folder} ; {command} continue de là"
    ),
    "stopped: {done} of {all} sets are done and kept in {folder}; {command} goes on from there": (
        "arrêté : {done} séries sur {all} sont jouées et gardées dans {folder} ; {command} "
        "continue de là"
    ),
    # Planning, putting together, playing again.
    "pilot: {sets}, {matches}, {deals} deals, seed {seed}": (
        "essai : {sets}, {matches}, {deals} donnes, graine {seed}"
    ),
    "to see a difference of {detect}, in {power} of such runs ({hundred} {metric}):": (
        "pour voir une différence de {detect}, dans {power} de tels tournois ({hundred} {metric}) :"
    ),
    "  {first} and {second}: {many} sets": "  {first} et {second} : {many} séries",
    "for all of them: {sets} sets, {matches} matches, about {deals} deals, about {time}": (
        "pour toutes : {sets} séries, {matches} parties, environ {deals} donnes, environ {time}"
    ),
    "chunk": "tranche",
    "chunks": "tranches",
    "{chunks} left out: other runs hold some of the same sets": (
        "{chunks} de côté : d'autres tournois ont certaines des mêmes séries"
    ),
    "{missing} missing; {command} plays what is": "{missing} à jouer encore ; {command} le fait",
    "{run}: ok, {chunks} played again ({sets}), all the same": (
        "{run} : bon, {chunks} rejouées ({sets}), toutes pareilles"
    ),
    "{run}: played again, these sets come out otherwise: {sets}": (
        "{run} : rejouées, ces séries donnent autre chose : {sets}"
    ),
}
