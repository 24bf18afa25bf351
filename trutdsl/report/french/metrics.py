"""What metrics and points of variants are called, in French; of a text with places every use."""

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
