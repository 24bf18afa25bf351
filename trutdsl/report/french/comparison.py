"""What is said of variants that are compared, in French."""


# What metrics and points of variants are called, in French; of a text with places every use.

METRICS = {
    "deals a match": "donnes par partie",
    "decisions a match": "décisions par partie",
    "decisions a deal": "décisions par donne",
    "forced answers a deal": "réponses forcées par donne",
    "standard deviation of deals a match": "écart type des donnes par partie",
    "standard deviation of decisions a match": "écart type des décisions par partie",
    "matches that are drawn": "parties nulles",
    "matches won by the side that deals first": "parties gagnées par le camp qui donne d'abord",
    "matches won by the side of the first seat": "parties gagnées par le camp de la place 0",
    "deals won by the dealer's side": "donnes gagnées par le camp du donneur",
    "deals won by the side that leads first": "donnes gagnées par le camp qui entame",
    "deals that end because {reason}": "donnes terminées ainsi : {reason}",
    "tricks that nobody wins": "levées que personne ne gagne",
    "{counter} that a deal brings its winner": "{counter} qu'une donne rapporte à qui la gagne",
    "answers '{option}' where '{decision}' is asked": (
        "réponses « {option} » à la question « {decision} »"
    ),
    "'{option}' where '{decision}' is asked": ("« {option} » à la question « {decision} »"),
    "answers '{option}' where '{decision}' is asked, with a weak hand": (
        "réponses « {option} » à la question « {decision} », avec une main faible"
    ),
    "deals won after '{option}' where '{decision}' is asked, with a weak hand": (
        "donnes gagnées après « {option} » à la question « {decision} », avec une main faible"
    ),
    "changes of the lead in {counter}, a match": "changements de tête en {counter}, par partie",
    "matches won after {many} or more {counter} behind": (
        "parties gagnées après {many} {counter} de retard ou plus"
    ),
    "deals begun ahead in {counter} whose leader wins the match": (
        "donnes commencées en tête en {counter}, dont le meneur gagne la partie"
    ),
    "{counter} that winners were behind at most": "retard maximal des vainqueurs en {counter}",
    "share of who beats whom that scores do not tell": (
        "part de qui bat qui que les scores ne disent pas"
    ),
    "share of the results due to the strategies": "part des résultats due aux stratégies",
    "share of the results due to the deal, at least": (
        "part des résultats due à la donne, au moins"
    ),
    "the pack": "le jeu de cartes",
    "before rule {rule}": "avant la règle {rule}",
    "after rule {rule}": "après la règle {rule}",
    "replace rule {rule}": "à la place de la règle {rule}",
    "replace define {rule}": "à la place de la définition {rule}",
    "replace options {rule}": "à la place des choix {rule}",
    "add to ask {rule}": "choix de plus à la question {rule}",
}

# Why deals end, as the shipped variants and the language call it.
REASONS = {
    "played": "jouée",
    "folded": "refus",
    "conceded": "concession",
    "void": "donne nulle",
    "tied": "égalité",
    "match over": "fin de la partie",
}


COMPARISON = {
    "{base} against {others}": "{base} contre {others}",
    "{others} and {last}": "{others} et {last}",
    "{players} players, {names}; {sets} sets of deals, seed {seed}": (
        "{players} joueurs, {names} ; {sets} séries de donnes, graine {seed}"
    ),
    "Everything below holds for play by {strategies}. Other strategies can give other results.": (
        "Tout ce qui suit vaut pour le jeu de {strategies}. D'autres stratégies peuvent donner "
        "d'autres résultats."
    ),
    "Declared beforehand, tested by itself: {words}: {both}, {change}: {verdict}": (
        "Annoncé d'avance, jugé seul : {words} : {both}, {change} : {verdict}"
    ),
    "Intervals: 95 %, on the same sets of deals in {clusters} clusters. Of what differs among "
    "{many} figures that are looked at together, and of its intervals, at most 5 in 100 are false, "
    "on average (false discovery rate, Benjamini and Hochberg). A verdict is read off its "
    "interval: what differs leaves out 0; what is the same lies within what matters, {shares} in "
    "100 for shares, and for other numbers {numbers} in 100 of the least that the base may be.": (
        "Intervalles à 95 %, sur les mêmes séries de donnes, en {clusters} groupes. De ce qui "
        "diffère parmi {many} chiffres regardés ensemble, et de ses intervalles, 5 sur 100 au plus "
        "sont faux en moyenne (taux de fausses découvertes, Benjamini et Hochberg). Un verdict se "
        "lit sur son intervalle : ce qui diffère laisse 0 dehors ; ce qui est pareil reste dans ce "
        "qui compte, {shares} sur 100 pour les parts, et pour les autres nombres {numbers} sur 100 "
        "de la moindre valeur possible de la base."
    ),
    "Values have 95 % intervals, each by itself; behind them stands the difference from {variant}. "
    "All cells play the same sets of deals.": (
        "Les valeurs ont des intervalles à 95 %, chacun pour soi ; derrière elles, la différence "
        "avec {variant}. Toutes les cases jouent les mêmes séries de donnes."
    ),
    "Which has most? Every order holds, 95 times in 100 for all pairs of a line together": (
        "Laquelle a le plus ? Tout ordre vaut, 95 fois sur 100 pour toutes les paires d'une ligne "
        "ensemble"
    ),
    "most {most}; least {least}": "le plus {most} ; le moins {least}",
    "it may be any of them": "ce peut être n'importe laquelle",
    "one of {names}": "une de {names}",
    "{variant}: {matches} matches, {deals} deals": "{variant} : {matches} parties, {deals} donnes",
    "{variant}: {matches} matches, {deals} deals; another pack, so that its deals are others": (
        "{variant} : {matches} parties, {deals} donnes ; un autre jeu de cartes, donc d'autres "
        "donnes"
    ),
    "{variant}: not one deal goes differently than in {base}": (
        "{variant} : pas une donne ne va autrement que dans {base}"
    ),
    "thing differs": "chose diffère",
    "things differ": "choses diffèrent",
    "{variant}: {things} from {base}": "{variant} : {things} de {base}",
    "differs, but by less than matters": "diffère, mais trop peu pour compter",
    "the same, as far as it matters": "pareil, à peu de chose près",
    "not told apart; more deals may do it": "non départagé ; plus de donnes y parviendraient",
    "differs": "diffère",
    "differs a little": "diffère un peu",
    "the same": "pareil",
    "not told apart": "non départagé",
    "identical": "identique",
    "only there": "un seul l'a",
    "Together they do what they do alone, as far as these deals tell": "Ensemble ils font ce "
    "qu'ils font seuls, autant que ces donnes le disent",
    "Together they do more, or less, than one after the other:": "Ensemble ils font plus, ou "
    "moins, que l'un après l'autre :",
    "  {words}: {whole}, where the points add up to {alone}": "  {words} : {whole}, alors que "
    "les points font en somme {alone}",
    "never came up": "ne s'est pas présenté",
    "only in {variant}": "seulement dans {variant}",
    "and": "et",
    "and {more} more": "et {more} de plus",
    " in 100": " sur 100",
    "came up only in {variant}": "ne s'est présenté que dans {variant}",
    "changes nothing that matters": "ne change rien qui compte",
    "nothing found; {things} not told apart": "rien trouvé ; {things} indécis",
    "; in how many sets two of the strategies are told apart is not known": (
        " ; on ne sait pas combien de séries il faut pour départager deux stratégies"
    ),
    "; two of the strategies are told apart in {low} sets or more": " ; il faut au moins {low} "
    "séries pour départager deux stratégies",
    "; two of the strategies are told apart in {low} sets": " ; il faut {low} séries pour "
    "départager deux stratégies",
    "; two of the strategies are told apart in {low} to {high} sets": " ; il faut {low} à {high} "
    "séries pour départager deux stratégies",
    " (against {other})": " (contre {other})",
    "the base": "la base",
    "means nothing alone: {why}": "seul, n'a pas de sens : {why}",
    "never acted: not one deal went differently": (
        "n'a jamais agi : pas une donne n'est allée autrement"
    ),
    "Which rule does it? Each point of {variant} alone:": (
        "Quelle règle le fait ? Chaque point de {variant} seul :"
    ),
    "how alike the strategies are ranked: {mean} ({low} to {high}); 1 in the same order, "
    "-1 reversed": (
        "accord des classements des stratégies : {mean} ({low} à {high}) ; 1 dans le même ordre, "
        "-1 en ordre inverse"
    ),
    "Intervals: 95 %, for all {many} figures that are looked at together (max-t), on the same sets "
    "of deals in {clusters} clusters: all of them hold, 95 times in 100. A verdict is read off its "
    "interval: what differs leaves out 0; what is the same lies within what matters, {shares} in "
    "100 for shares, and for other numbers {numbers} in 100 of the least that the base may be.": (
        "Intervalles : à 95 %, pour les {many} chiffres examinés ensemble (max-t), sur les mêmes "
        "séries de donnes en {clusters} groupes : tous tiennent, 95 fois sur 100. Un verdict se "
        "lit sur son intervalle : ce qui diffère laisse 0 dehors ; ce qui est pareil reste dans ce "
        "qui importe, {shares} sur 100 pour les parts et, pour les autres nombres, {numbers} sur "
        "100 du moins que la base puisse valoir."
    ),
    "{title}: {told}": "{title} : {told}",
    ": ": " : ",
    "; ": " ; ",
    "{words}, from {one} to {other}, by {change}": "{words}, de {one} à {other}, soit {change}",
    "In short: {variant} changes nothing in these deals.": (
        "En bref : {variant} ne change rien dans ces donnes."
    ),
    "In short, played by {strategies}: {variant} changes {what}.": (
        "En bref, joué par {strategies} : {variant} change ceci : {what}."
    ),
    "In short, played by {strategies}: nothing that matters was found to differ.": (
        "En bref, joué par {strategies} : rien de trouvé qui diffère et qui compte."
    ),
    "As far as it matters it does not change: {what}.": (
        "À peu de chose près, ne change pas : {what}."
    ),
    "It is not known yet whether it changes: {what}.": (
        "On ne sait pas encore si cela change : {what}."
    ),
    "Played by {players}, as no number was named; for {others} it may be otherwise: "
    "--players {first}": (
        "Joué à {players}, faute d'un autre nombre demandé ; à {others} la réponse peut être "
        "autre : --players {first}"
    ),
    "{variant}: where '{question}' is asked, {names} never chose on purpose: {options}": (
        "{variant} : à la question « {question} », jamais choisi exprès par {names} : {options}"
    ),
    "{variant}: where '{question}' is asked, {names} took any answer, at random, always": (
        "{variant} : à la question « {question} », réponses de {names} toujours au hasard"
    ),
    "{names} took any answer, at random, at: {questions}": (
        "réponses de {names} prises au hasard à : {questions}"
    ),
    " (one point, as they share {names})": " (un seul point, car elles partagent {names})",
    "{question} ({taken} of {answers})": "{question} ({taken} sur {answers})",
    "What a rule does with players who know how to play it may be something else; a script of your "
    "own can say how (docs/strategies.md)": (
        "Avec des joueurs qui savent jouer une règle, elle peut faire autre chose ; un script à "
        "vous peut le dire (docs/strategies.md)"
    ),
    "compiled {done} of {of}": "{done} sur {of} compilés",
    "{number} of {of}: {name}": "{number} sur {of} : {name}",
    "{number} of {of}: {name}, {sets} sets": "{number} sur {of} : {name}, {sets} séries",
    "As a page with figures: {command}": "En page avec figures : {command}",
    "{stopped} in {folder}; the same command with --seed {seed} goes on from there": (
        "{stopped} dans {folder} ; la même commande avec --seed {seed} continue de là"
    ),
    "Every figure: {file}": "Tous les chiffres : {file}",
    # Sweeps, and the readings of unclear rules.
    "{variant}, {setting}; {many} cells": "{variant}, {setting} ; {many} cases",
    "{parameter} = {value} instead of {default}": "{parameter} = {value} au lieu de {default}",
    "it matters": "cela importe",
    "it never came up: not one deal went differently": (
        "cela ne s'est jamais présenté : pas une donne n'est allée autrement"
    ),
    "no difference that matters was found; {many} things are not told apart": (
        "pas de différence trouvée qui importe ; {many} choses ne sont pas départagées"
    ),
    "it changes a little, less than matters": "cela change un peu, trop peu pour compter",
    "it changes nothing": "cela ne change rien",
}
